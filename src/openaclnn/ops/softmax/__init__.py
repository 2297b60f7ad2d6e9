"""Softmax along a dimension, and its gradient.

沿某一维度的 Softmax 及其反向传播。
"""
