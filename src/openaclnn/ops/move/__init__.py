"""Copies, concatenation, slices, padding, casts.

拷贝、拼接、切片、填充与类型转换。
"""
