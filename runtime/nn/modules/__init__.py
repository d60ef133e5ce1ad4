"""Modules: objects that own variables, and how those are found."""

from __future__ import annotations

from runtime.nn.modules.module import Module as Module
