"""Installs the hooks by which the runtime converts and traces functions that it gets."""

from __future__ import annotations

from runtime.core.converter_hooks import ConverterHooks
from runtime.core.creation_hooks import CreationHooks
from runtime.core.lazy_imports import lazy_import


def install() -> None:
    """Install the functions of this package as hooks of the runtime."""
    ConverterHooks.call = lazy_import("autograph.conversion.convert:called")
    ConverterHooks.function = lazy_import("autograph.functions.traced_step:traced_step")
    ConverterHooks.element = lazy_import("autograph.functions.user_functions:prepared")
    ConverterHooks.traced = lazy_import("autograph.functions.user_functions:traced_by_op")
    ConverterHooks.sketched = lazy_import("autograph.functions.user_functions:sketched")
    ConverterHooks.loop = lazy_import("autograph.backends.graph.control.recurrent_loops:step_loop")
    ConverterHooks.array = lazy_import("autograph.backends.graph.arrays.staged_array:new_array")
    CreationHooks.existed_before = lazy_import(
        "autograph.functions.side_effects.trace_rollback:existed_before_trace"
    )
    CreationHooks.on_create = lazy_import(
        "autograph.functions.tracing.own_variables:record_creation"
    )
    CreationHooks.on_assign = lazy_import(
        "autograph.functions.tracing.own_variables:record_assignment"
    )
    CreationHooks.on_new_owner = lazy_import(
        "autograph.functions.tracing.own_variables:record_owner"
    )
    CreationHooks.creation_time = lazy_import(
        "autograph.functions.tracing.own_variables:creation_time_of"
    )
    CreationHooks.on_initial_draw = lazy_import(
        "autograph.functions.tracing.own_variables:record_initial_draw"
    )
    CreationHooks.around_initial_draw = lazy_import(
        "autograph.backends.graph.state.init_scope_changes:check_random_streams"
    )
    CreationHooks.on_begin = lazy_import(
        "autograph.backends.graph.state.init_scope_changes:begin_init_scope"
    )
