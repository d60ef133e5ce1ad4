"""Lists, deques, sets and dicts whose items only a run of the graph knows."""
