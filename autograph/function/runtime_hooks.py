"""Installs the hooks by which the runtime converts and traces functions it is given."""

from __future__ import annotations

from runtime.core.converter_hooks import Staging
from runtime.core.creation_hooks import LiftedListener
from runtime.core.lazy_imports import late


def install() -> None:
    """Tell the runtime what to call in place of a function it is given, and what an array is."""
    Staging.call = staticmethod(late("autograph.conversion.convert", "called"))
    Staging.function = staticmethod(late("autograph.function.callbacks", "as_graphs"))
    Staging.element = staticmethod(late("autograph.function.callbacks", "prepared"))
    Staging.traced = staticmethod(late("autograph.function.callbacks", "traced_by_op"))
    Staging.loop = staticmethod(
        late("autograph.backends.graph.control.recurrent_loops", "step_loop")
    )
    Staging.array = staticmethod(late("autograph.backends.graph.program.arrays", "made_array"))
    LiftedListener.knows = staticmethod(late("autograph.function.trace_rollback", "is_known"))
    LiftedListener.makes = staticmethod(late("autograph.function.own_variables", "makes"))
    LiftedListener.stores = staticmethod(late("autograph.function.own_variables", "stores"))
    LiftedListener.bears = staticmethod(late("autograph.function.own_variables", "bears"))
    LiftedListener.since = staticmethod(late("autograph.function.own_variables", "since"))
    LiftedListener.draws = staticmethod(late("autograph.function.own_variables", "draws"))
    LiftedListener.looks = staticmethod(
        late("autograph.backends.graph.state.init_scope_changes", "looks")
    )
    LiftedListener.begins = staticmethod(
        late("autograph.backends.graph.state.init_scope_changes", "begins")
    )
