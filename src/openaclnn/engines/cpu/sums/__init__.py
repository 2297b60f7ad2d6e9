"""Exact sums of floating-point numbers: a Kulisch accumulator (fixed-point digits as wide as the
dtype's range), and before it faster ways that the processor's inexact flag proves exact."""
