"""The fixtures of tests that run C programs."""

from toolkits import device, program, toolkit

__all__ = ["device", "program", "toolkit"]

collect_ignore = ["programs"]
