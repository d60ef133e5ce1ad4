"""Finds a function's source, converts it, and loads the resulting function."""
