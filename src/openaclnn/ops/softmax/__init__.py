"""Softmax and log-softmax, with gradients.

Softmax、LogSoftmax 及其反向传播。
"""
