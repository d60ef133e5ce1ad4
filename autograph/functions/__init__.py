"""The decorator `function`: Functions, their traces and their concrete functions."""

from __future__ import annotations
