"""Random numbers, the same for a seed and an offset on every device.

随机数：同一种子与偏移量在各设备上结果一致。
"""
