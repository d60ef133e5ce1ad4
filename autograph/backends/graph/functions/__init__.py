"""Builtin functions, strings, `math` and NumPy functions on symbolic tensors."""
