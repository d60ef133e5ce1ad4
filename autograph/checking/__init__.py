"""Compares plain, converted and staged runs of a function, and reports the differences."""
