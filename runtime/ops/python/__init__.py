"""Ops that compute as Python does: its numbers, strings, builtins and the math module."""
