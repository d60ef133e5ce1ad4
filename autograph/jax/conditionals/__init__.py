"""Conditionals: each path is traced once, and `lax.cond` chooses between the recorded paths."""
