"""Sort, top-k, median, k-th value.

排序、top-k、中位数、第 k 小的值。
"""
