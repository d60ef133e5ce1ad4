"""State outside of a function that its graph reads and writes, and the guards on it."""
