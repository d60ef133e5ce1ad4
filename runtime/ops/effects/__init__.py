"""Ops with effects: variables, printing, assertions, exceptions and Python calls."""
