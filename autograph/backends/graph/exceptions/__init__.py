"""Raising and catching exceptions when the graph runs."""
