"""Calls like earlier ones, without planning: a table of launches, recordings with guards that are
replayed, and the same compiled (C)."""
