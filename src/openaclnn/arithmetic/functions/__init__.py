"""Functions from basic operations, one to a file, with their coefficients for every width."""
