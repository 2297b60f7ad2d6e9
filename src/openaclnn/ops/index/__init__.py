"""Elements at places that tensors of indices name.

按索引张量取元素。
"""
