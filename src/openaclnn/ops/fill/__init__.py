"""Tensors that get new values.

张量赋值。
"""
