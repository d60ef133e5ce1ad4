"""Rules for ops that spread arrays over the devices of a mesh."""

from __future__ import annotations

from typing import Any

from runtime.core.mesh import current_mesh
from runtime.executors.jax.rules.jax_modules import jax, lax
from runtime.executors.jax.rules.table import rule


def named_sharding(mesh: Any, axes: tuple[Any, ...] = ()) -> Any:
    """Return the sharding of a tensor: for each dimension an axis of the mesh, several, or None."""
    return jax.sharding.NamedSharding(mesh.devices, jax.sharding.PartitionSpec(*axes))


@rule("shard")
def _shard(run: Any, node: Any, x: Any, *, axes: tuple[Any, ...]) -> Any:
    mesh = current_mesh()
    return x if mesh is None else lax.with_sharding_constraint(x, named_sharding(mesh, axes))
