"""Activations and their gradients.

激活函数及其反向传播。
"""
