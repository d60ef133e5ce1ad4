"""Raising and catching what is raised when the graph runs."""
