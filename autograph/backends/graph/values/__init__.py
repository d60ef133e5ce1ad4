"""Values of variables while a function is traced, and the join of two paths' values."""
