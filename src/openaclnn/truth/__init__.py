"""The true values of operators, to about 100 bits, and errors in ULP."""
