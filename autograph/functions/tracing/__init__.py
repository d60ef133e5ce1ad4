"""Tracing: running a function once on placeholders, and recording its graph."""
