"""Tracing of a body into a graph: its regions, arguments, exceptions, and the tensors of values."""
