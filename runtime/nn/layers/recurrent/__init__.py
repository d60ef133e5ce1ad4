"""Layers that go over the steps of sequences, and the cells that make one step."""
