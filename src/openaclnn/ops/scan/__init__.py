"""Cumulative sums, products and extremes along a dimension.

沿维度的累积和、累积积与累积最值。
"""
