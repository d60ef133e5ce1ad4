"""Layers that iterate over the steps of sequences, and the cells that make one step."""
