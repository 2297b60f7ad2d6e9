"""Elementwise mathematics: arithmetic, functions, comparisons, logic, bits.

逐元素数学运算：算术、函数、比较、逻辑、位运算。
"""
