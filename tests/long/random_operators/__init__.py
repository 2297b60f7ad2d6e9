"""Random operators, as files that users of OPENACLNN_OPS would write, through every entry point.

`__main__` runs them. What they compute is known from `truths`, which evaluates the source of the
drawn formulas with mpmath or NumPy and knows nothing of openaclnn.
"""
