"""Elementwise mathematics: arithmetic, comparisons.

逐元素数学运算：算术、比较。
"""
