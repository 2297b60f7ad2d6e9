"""Operators of this family, one to a file."""
