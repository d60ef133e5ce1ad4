"""A small tensor library: eager tensors on NumPy, symbolic tensors in graphs."""
