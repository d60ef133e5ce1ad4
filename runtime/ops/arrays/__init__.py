"""Ops that create, reshape, join, index, sort and reduce tensors."""
