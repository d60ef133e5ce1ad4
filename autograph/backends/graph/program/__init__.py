"""What is known of the user's program: places in files, names in code, contents of objects."""
