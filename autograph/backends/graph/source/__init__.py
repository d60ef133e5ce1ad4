"""The user's source: locations, names in code, the boundary of libraries, staged statements."""
