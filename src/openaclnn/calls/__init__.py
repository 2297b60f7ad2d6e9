"""Calls: two phases as C programs make them, and functions as NumPy users write them."""
