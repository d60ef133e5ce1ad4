"""Modules: objects that own variables, and the search for those."""

from __future__ import annotations

from runtime.nn.modules.module import Module as Module
