"""Containers that are one object on some path, but two in the trace."""
