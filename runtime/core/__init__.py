"""Tensors, dtypes, shapes and the context of recording: what everything else stands on."""
