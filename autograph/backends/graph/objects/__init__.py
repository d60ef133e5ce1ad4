"""Objects of the user's program: contents, attributes, lifetimes, opaque state."""
