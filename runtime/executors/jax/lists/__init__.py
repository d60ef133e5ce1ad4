"""Lists and TensorArrays in programs of JAX: their rules, gradients and capacities."""
