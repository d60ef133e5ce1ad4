"""NumPy functions and operators on tensors, with the dtypes of NumPy."""
