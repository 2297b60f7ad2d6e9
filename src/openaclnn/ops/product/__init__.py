"""Products of matrices and vectors: every element exact and rounded once.

矩阵与向量的乘积：每个元素均为精确值的一次舍入。
"""
