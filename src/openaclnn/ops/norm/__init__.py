"""Normalisation, and what it needs of means and variances.

归一化及其所需的均值与方差。
"""
