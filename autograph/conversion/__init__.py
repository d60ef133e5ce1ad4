"""Function in, function out: finds a function's source, converts it, and loads what comes out."""
