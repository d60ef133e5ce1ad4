"""Graphs as data: what a file can hold, and the graph again."""
