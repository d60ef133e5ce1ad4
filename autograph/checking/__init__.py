"""Running one function plain, converted and staged, and telling where the three part."""
