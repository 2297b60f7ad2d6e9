"""Golden cases: inputs and true results as files, the same on every machine."""
