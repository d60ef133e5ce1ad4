"""Rules for ops that compute arrays from arrays: how JAX computes each of them."""

from __future__ import annotations

from runtime.executors.jax.rules import arithmetic as arithmetic
from runtime.executors.jax.rules.table import IN_CORE as IN_CORE
from runtime.executors.jax.rules.table import RULES as RULES
from runtime.executors.jax.rules.table import UNSUPPORTED as UNSUPPORTED
from runtime.executors.jax.rules.table import Unsupported as Unsupported
