"""Data to learn from: digits that are there, and MNIST where its files are."""

from __future__ import annotations

from runtime.nn.datasets import digits as digits
from runtime.nn.datasets import mnist as mnist
