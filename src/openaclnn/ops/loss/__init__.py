"""Losses and their gradients.

损失函数及其反向传播。
"""
