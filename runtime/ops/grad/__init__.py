"""Gradient rules that are separate from the ops, and the ops that only gradients need."""
