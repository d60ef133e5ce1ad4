"""Containers that may be one object at run time but are separate objects in the trace."""
