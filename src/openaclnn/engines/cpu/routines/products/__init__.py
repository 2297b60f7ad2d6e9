"""The kernel of a contraction: a blocked matrix product that certifies each element.

The result is cut into blocks of rows by columns, which threads share (`kernel.py`). For a block,
chunks of both operands are read through their strides or window (`reading.py`), converted to
float64, and stored as panels of a few rows or columns (`packing.py`). Tiles of the block are then
sums of products in registers, one sum for each chunk of K, which are added up; a product of one row
reads the other factor once, as it lies (`one_row.py`). At the end every sum has a bound of its
error: where the numbers at both ends of it round to one number, that is the result
(`certificate.py`); the others are computed again by the exact sum (`repair.py`). So the order of
additions decides nothing.

Integers are added up as integers of the result's size, which wrap. DOUBLE is rounded along the way,
in an order that depends on K alone. Quantised numbers are packed as what they stand for.
"""
