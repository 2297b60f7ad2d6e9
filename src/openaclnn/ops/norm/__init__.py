"""Layer, RMS, group and batch normalisation, with gradients.

层归一化、RMS 归一化、组归一化、批归一化及其反向传播。
"""
