"""The fixtures of tests that run C programs."""

from toolkits import program, toolkit

__all__ = ["program", "toolkit"]
