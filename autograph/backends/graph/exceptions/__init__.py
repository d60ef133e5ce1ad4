"""Raising and catching exceptions at run time."""
