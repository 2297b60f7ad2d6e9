"""Gather, scatter, embedding: elements that tensors of indices select.

按索引取元素或写入：gather、scatter、embedding。
"""
