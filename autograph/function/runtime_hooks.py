"""Installs the hooks by which the runtime converts and traces functions that it gets."""

from __future__ import annotations

from runtime.core.converter_hooks import Staging
from runtime.core.creation_hooks import LiftedListener
from runtime.core.lazy_imports import lazy_import


def install() -> None:
    """Install the functions of this package as hooks of the runtime."""
    Staging.call = lazy_import("autograph.conversion.convert:called")
    Staging.function = lazy_import("autograph.function.callbacks:as_graphs")
    Staging.element = lazy_import("autograph.function.callbacks:prepared")
    Staging.traced = lazy_import("autograph.function.callbacks:traced_by_op")
    Staging.loop = lazy_import("autograph.backends.graph.control.recurrent_loops:step_loop")
    Staging.array = lazy_import("autograph.backends.graph.program.arrays:new_array")
    LiftedListener.knows = lazy_import("autograph.function.trace_rollback:is_known")
    LiftedListener.makes = lazy_import("autograph.function.own_variables:makes")
    LiftedListener.stores = lazy_import("autograph.function.own_variables:stores")
    LiftedListener.bears = lazy_import("autograph.function.own_variables:bears")
    LiftedListener.since = lazy_import("autograph.function.own_variables:since")
    LiftedListener.draws = lazy_import("autograph.function.own_variables:draws")
    LiftedListener.looks = lazy_import("autograph.backends.graph.state.init_scope_changes:looks")
    LiftedListener.begins = lazy_import("autograph.backends.graph.state.init_scope_changes:begins")
