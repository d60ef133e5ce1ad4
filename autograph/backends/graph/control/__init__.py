"""Statements as nodes of the graph: choices, loops, functions that call themselves."""
