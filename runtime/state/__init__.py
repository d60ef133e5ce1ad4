"""Mutable values: variables, random generators, TensorArrays and lists."""
