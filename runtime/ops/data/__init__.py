"""Ops on datasets and iterators."""
