"""Steps of optimizers, in place.

优化器的单步更新（原地）。
"""
