"""How close results are to the truth: a reference, its ULP, the field's standards."""
