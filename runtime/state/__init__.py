"""Mutable values: variables, random generators and TensorArrays."""
