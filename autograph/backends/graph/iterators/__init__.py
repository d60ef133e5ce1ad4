"""Iteration whose length or items only a run of the graph knows."""
