"""Optimizations of plans: each returns a plan that computes the same in less time."""
