"""From the user's tree to generated code, one construct per file."""
