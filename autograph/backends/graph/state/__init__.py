"""State that a statement may change, found by searching its reach and by watching its trace."""
