"""Backends: the meaning of each statement for one kind of value."""
