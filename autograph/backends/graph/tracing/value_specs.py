"""Value specs: the knowledge of variables while tracing, gathered here for import.

A plan says what is known of a value on every path that leads to one place. `plan_of` makes one,
`join` and `widen` find what several paths can agree on, `emit` and `rebuild` go from a value to
the tensors that carry it and back.
"""

from __future__ import annotations

from autograph.backends.graph.aliases.value_tensors import carried_leaves as carried_leaves
from autograph.backends.graph.aliases.value_tensors import emit as emit
from autograph.backends.graph.aliases.value_tensors import emit_all as emit_all
from autograph.backends.graph.aliases.value_tensors import emitting as emitting
from autograph.backends.graph.aliases.value_tensors import rebuild as rebuild
from autograph.backends.graph.values.encode import plan_of as plan_of
from autograph.backends.graph.values.join import join as join
from autograph.backends.graph.values.join import widen as widen
from autograph.backends.graph.values.value_spec import UNREACHED as UNREACHED
from autograph.backends.graph.values.value_spec import JoinError as JoinError
from autograph.backends.graph.values.value_spec import Optional as Optional
from autograph.backends.graph.values.value_spec import Unbound as Unbound
from autograph.backends.graph.values.value_spec import ValueSpec as ValueSpec
