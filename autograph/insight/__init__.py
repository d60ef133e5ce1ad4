"""Explanations of a trace: the lines that run, the constructs they stage, and the reasons."""
