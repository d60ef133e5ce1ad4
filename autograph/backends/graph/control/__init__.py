"""Statements as nodes of the graph: conditionals, loops, recursive functions."""
