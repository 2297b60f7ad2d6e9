"""Sums, means and extremes over dimensions.

沿若干维度求和、求均值、求最值。
"""
