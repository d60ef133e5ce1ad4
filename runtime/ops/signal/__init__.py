"""Fourier and cosine transforms, windows and frames of signals."""
