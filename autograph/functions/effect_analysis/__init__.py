"""Finds which state the code of a function reads and writes, without running it."""
