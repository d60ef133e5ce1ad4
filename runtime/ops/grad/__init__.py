"""Gradients that take more than a line: their rules, and the ops that only they need."""
