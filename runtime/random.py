"""Random numbers: the namespace `rt.random`."""

from types import SimpleNamespace as _SimpleNamespace
from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.core.lazy_imports import missing_names as _missing_names
from runtime.ops.random.algorithms import Algorithm as Algorithm
from runtime.ops.random.eager_seeds import set_seed as set_seed
from runtime.ops.random.seeded import categorical as categorical
from runtime.ops.random.seeded import gamma as gamma
from runtime.ops.random.seeded import normal as normal
from runtime.ops.random.seeded import poisson as poisson
from runtime.ops.random.seeded import shuffle as shuffle
from runtime.ops.random.seeded import truncated_normal as truncated_normal
from runtime.ops.random.seeded import uniform as uniform
from runtime.ops.random.stateless import fold_in as fold_in
from runtime.ops.random.stateless import split as split
from runtime.ops.random.stateless import stateless_binomial as stateless_binomial
from runtime.ops.random.stateless import stateless_categorical as stateless_categorical
from runtime.ops.random.stateless import stateless_gamma as stateless_gamma
from runtime.ops.random.stateless import stateless_normal as stateless_normal
from runtime.ops.random.stateless import stateless_poisson as stateless_poisson
from runtime.ops.random.stateless import stateless_shuffle as stateless_shuffle
from runtime.ops.random.stateless import stateless_truncated_normal as stateless_truncated_normal
from runtime.ops.random.stateless import stateless_uniform as stateless_uniform
from runtime.state.generator import Generator as Generator
from runtime.state.generator import create_rng_state as create_rng_state
from runtime.state.generator import get_global_generator as get_global_generator
from runtime.state.generator import set_global_generator as set_global_generator

# Names that TensorFlow has there as well.
experimental = _SimpleNamespace(
    Algorithm=Algorithm,
    Generator=Generator,
    create_rng_state=create_rng_state,
    get_global_generator=get_global_generator,
    set_global_generator=set_global_generator,
    stateless_fold_in=fold_in,
    stateless_shuffle=stateless_shuffle,
    stateless_split=split,
)
del _SimpleNamespace

if not _TYPE_CHECKING:
    __getattr__ = _missing_names(__name__)

del _TYPE_CHECKING, _missing_names
