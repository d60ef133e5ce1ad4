"""Tensors, dtypes, shapes and the recording context: the foundation of all other rooms."""
