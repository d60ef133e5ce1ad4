"""Analyses of a tree: facts are computed on first access, and never change the tree."""
