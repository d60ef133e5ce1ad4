"""What is known of variables while tracing: the door to plans.

A plan says what is known of a value on every path that leads to one place. `plan_of` makes one,
`join` and `widen` find what several paths can agree on, `emit` and `rebuild` go from a value to
the tensors that carry it and back.
"""

from __future__ import annotations

from autograph.backends.graph.aliases.carrying import carried_leaves as carried_leaves
from autograph.backends.graph.aliases.carrying import emit as emit
from autograph.backends.graph.aliases.carrying import emit_all as emit_all
from autograph.backends.graph.aliases.carrying import emitting as emitting
from autograph.backends.graph.aliases.carrying import rebuild as rebuild
from autograph.backends.graph.values.joining import join as join
from autograph.backends.graph.values.joining import widen as widen
from autograph.backends.graph.values.plan_types import UNREACHED as UNREACHED
from autograph.backends.graph.values.plan_types import JoinError as JoinError
from autograph.backends.graph.values.plan_types import Optional as Optional
from autograph.backends.graph.values.plan_types import Plan as Plan
from autograph.backends.graph.values.plan_types import Unbound as Unbound
from autograph.backends.graph.values.planning import plan_of as plan_of
