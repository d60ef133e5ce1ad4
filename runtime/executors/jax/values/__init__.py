"""Values of a graph while JAX traces it: their classes, their forms and bounds of integers."""
