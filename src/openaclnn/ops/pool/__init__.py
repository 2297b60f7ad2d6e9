"""Pooling, padding and upsampling, with gradients.

池化、填充、上采样及其反向传播。
"""
