"""Branches, loops, recursion and errors in programs of JAX."""
