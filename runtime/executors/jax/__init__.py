"""Runs graphs by JAX, which compiles them for CPUs, GPUs and TPUs."""
