"""Random numbers: equal for one seed and offset on every device.

随机数：同一种子与偏移量在各设备上结果一致。
"""
