"""Reductions: sum, mean, variance, norm, maximum, minimum.

归约：求和、均值、方差、范数、最大值、最小值。
"""
