"""Operators that repeat another one for every tensor of a list.

对列表中的每个张量重复同一算子。"""
