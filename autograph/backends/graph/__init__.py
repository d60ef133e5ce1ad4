"""What statements mean for tensors of `runtime` while they are recorded into a graph."""

from autograph.backends.graph.backend import GraphBackend

__all__ = ["GraphBackend"]
