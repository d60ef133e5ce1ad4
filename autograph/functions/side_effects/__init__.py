"""Effects of Python code while it is traced: undone, repeated by each call, or warned of."""
