"""Facts about a tree: computed when asked for, never changed, and never changing the tree."""
