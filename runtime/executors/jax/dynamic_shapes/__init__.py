"""Arrays whose length only a run knows: the ops that make them and those that take them."""
