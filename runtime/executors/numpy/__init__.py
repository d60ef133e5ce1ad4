"""Graphs printed as Python functions that call NumPy."""
