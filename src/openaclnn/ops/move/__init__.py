"""Values in another place, order or dtype.

拷贝、拼接与类型转换。
"""
