"""Values that change: variables, generators of random numbers, TensorArrays and lists."""
