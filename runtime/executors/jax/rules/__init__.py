"""Rules for ops that compute arrays from arrays: how JAX computes each of them."""

from __future__ import annotations

from runtime.executors.jax.rules import activations as activations
from runtime.executors.jax.rules import arithmetic as arithmetic
from runtime.executors.jax.rules import casts as casts
from runtime.executors.jax.rules import convolution as convolution
from runtime.executors.jax.rules import creation as creation
from runtime.executors.jax.rules import fft as fft
from runtime.executors.jax.rules import functions as functions
from runtime.executors.jax.rules import gathering as gathering
from runtime.executors.jax.rules import indexing as indexing
from runtime.executors.jax.rules import linalg as linalg
from runtime.executors.jax.rules import manipulation as manipulation
from runtime.executors.jax.rules import math_module as math_module
from runtime.executors.jax.rules import ordering as ordering
from runtime.executors.jax.rules import pooling as pooling
from runtime.executors.jax.rules import python_numbers as python_numbers
from runtime.executors.jax.rules import random as random
from runtime.executors.jax.rules import reductions as reductions
from runtime.executors.jax.rules import rejection as rejection
from runtime.executors.jax.rules import segments as segments
from runtime.executors.jax.rules import shapes as shapes
from runtime.executors.jax.rules import sharding as sharding
from runtime.executors.jax.rules.table import IN_CORE as IN_CORE
from runtime.executors.jax.rules.table import RULES as RULES
from runtime.executors.jax.rules.table import UNSUPPORTED as UNSUPPORTED
from runtime.executors.jax.rules.table import Unsupported as Unsupported
