"""Lists, deques and dicts of which only a run of the graph knows the items."""
