"""Elements in order, the largest ones, and what is found that way.

排序、取最大若干个及相关操作。
"""
