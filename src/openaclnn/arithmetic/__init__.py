"""How a formula is computed: expansion into basic operations that every device does alike.

Each operation of the expanded tree is exact or correctly rounded by IEEE 754, and none is left to
a library or to a compiler's liberties; so all engines give the same bits.
"""
