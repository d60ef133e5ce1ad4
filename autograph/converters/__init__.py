"""The converters, one file per construct: they turn the user's tree into that of generated code."""
