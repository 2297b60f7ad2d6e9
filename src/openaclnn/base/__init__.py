"""What every stage speaks about: statuses, dtypes, products, tensors, settings."""
