"""The labels that aclnn calls formats. No operator here reads them; programs do."""

from __future__ import annotations

UNDEFINED = -1
NCHW = 0
NHWC = 1
ND = 2
NC1HWC0 = 3
FRACTAL_Z = 4
NC1HWC0_C04 = 12
HWCN = 16
NDHWC = 27
FRACTAL_NZ = 29
NCDHW = 30
NDC1HWC0 = 32
FRACTAL_Z_3D = 33
NC = 35
NCL = 47
FRACTAL_NZ_C0_16 = 50
FRACTAL_NZ_C0_32 = 51
FRACTAL_NZ_C0_2 = 52
FRACTAL_NZ_C0_4 = 53
FRACTAL_NZ_C0_8 = 54

ALL = {name: value for name, value in list(globals().items()) if isinstance(value, int)}


def c_name(name: str) -> str:
    """The spelling of the C headers; one of them breaks the pattern.

    >>> c_name("ND"), c_name("FRACTAL_Z_3D")
    ('ACL_FORMAT_ND', 'ACL_FRACTAL_Z_3D')
    """
    return "ACL_FRACTAL_Z_3D" if name == "FRACTAL_Z_3D" else f"ACL_FORMAT_{name}"
