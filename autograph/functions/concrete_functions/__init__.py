"""Concrete functions: a graph, and everything that a call of it does."""
