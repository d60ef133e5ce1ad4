"""What a statement means for a kind of value: one backend per kind."""
