"""Strings, subscripts, reductions, `math` and NumPy functions on symbolic tensors."""
