"""Pooling: means and the largest of what windows see.

池化。
"""
