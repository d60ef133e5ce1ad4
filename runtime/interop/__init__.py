"""Other libraries: NumPy functions on tensors, and DLPack."""
