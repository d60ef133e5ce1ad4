"""Going over what only a run of the graph can go over."""
