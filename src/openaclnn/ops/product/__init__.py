"""Matrix products and convolution, exact and rounded once; attention.

矩阵乘与卷积（精确值舍入一次）、注意力。
"""
