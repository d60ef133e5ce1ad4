"""Facts about the user's program: source locations, names in code, contents of objects."""
