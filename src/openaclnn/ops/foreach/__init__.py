"""An operator applied to every tensor of a list.

对列表中的每个张量应用同一算子。
"""
