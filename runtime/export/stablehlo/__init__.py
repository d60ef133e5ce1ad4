"""Programs as StableHLO, which JAX and other programs over XLA load without this project."""
