"""NumPy arrays whose elements are known only at run time."""
