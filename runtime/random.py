"""Random numbers: the namespace `rt.random`."""

from __future__ import annotations

from runtime.ops.random import Generator as Generator
from runtime.ops.random import normal as normal
from runtime.ops.random import set_seed as set_seed
from runtime.ops.random import shuffle as shuffle
from runtime.ops.random import stateless_normal as stateless_normal
from runtime.ops.random import stateless_uniform as stateless_uniform
from runtime.ops.random import truncated_normal as truncated_normal
from runtime.ops.random import uniform as uniform
