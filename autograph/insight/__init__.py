"""Explains traces: the lines that run, the constructs that they stage, and the reasons."""
