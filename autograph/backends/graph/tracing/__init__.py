"""Tracing a body into a graph of its own: its arguments, its results, what is noted of it."""
