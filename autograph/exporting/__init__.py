"""Exports functions, models and objects to files that other programs run."""
