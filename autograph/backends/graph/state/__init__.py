"""What a statement may change: found by looking at what its code can reach, and by watching it."""
