"""The operators that generated code calls (`ag__.*`)."""
