"""Ops on lists and TensorArrays, and their gradients."""
