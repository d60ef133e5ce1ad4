"""What builtin functions, texts and NumPy make of tensors."""
