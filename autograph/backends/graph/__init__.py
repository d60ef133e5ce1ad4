"""The backend that records statements on `runtime` tensors as nodes of a graph."""

from autograph.backends.graph.backend import GraphBackend

__all__ = ["GraphBackend"]
