"""Graphs as data that a file can hold, and back."""
