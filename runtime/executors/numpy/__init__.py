"""The NumPy executor: a plan printed as one Python function, which is defined once."""
