"""The plan: a graph as statements over slots, which the printed function is made of."""
