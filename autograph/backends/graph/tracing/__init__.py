"""Tracing of a body into a graph: its arguments, results and snapshots."""
