"""Errors of a running graph: exceptions as values, and lines of the user in tracebacks."""
