"""openaclnn: run aclnn programs without an NPU."""

__version__ = "0.1.0"
