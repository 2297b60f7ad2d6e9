"""Fill tensors with values: constants, sequences, the identity.

张量赋值：常数、数列、单位矩阵。
"""
