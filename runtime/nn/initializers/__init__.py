"""Initializers of weights: the namespace `rt.nn.initializers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.initializers.constants import Constant as Constant
    from runtime.nn.initializers.constants import Identity as Identity
    from runtime.nn.initializers.constants import Ones as Ones
    from runtime.nn.initializers.constants import Zeros as Zeros
    from runtime.nn.initializers.initializer import Initializer as Initializer
    from runtime.nn.initializers.random import GlorotNormal as GlorotNormal
    from runtime.nn.initializers.random import GlorotUniform as GlorotUniform
    from runtime.nn.initializers.random import HeNormal as HeNormal
    from runtime.nn.initializers.random import HeUniform as HeUniform
    from runtime.nn.initializers.random import LecunNormal as LecunNormal
    from runtime.nn.initializers.random import LecunUniform as LecunUniform
    from runtime.nn.initializers.random import Orthogonal as Orthogonal
    from runtime.nn.initializers.random import RandomNormal as RandomNormal
    from runtime.nn.initializers.random import RandomUniform as RandomUniform
    from runtime.nn.initializers.random import TruncatedNormal as TruncatedNormal
    from runtime.nn.initializers.random import VarianceScaling as VarianceScaling
    from runtime.nn.initializers.registry import deserialize as deserialize
    from runtime.nn.initializers.registry import get as get
    from runtime.nn.initializers.registry import serialize as serialize

    constant = Constant
    glorot_normal = GlorotNormal
    glorot_uniform = GlorotUniform
    he_normal = HeNormal
    he_uniform = HeUniform
    identity = Identity
    lecun_normal = LecunNormal
    lecun_uniform = LecunUniform
    ones = Ones
    orthogonal = Orthogonal
    random_normal = RandomNormal
    random_uniform = RandomUniform
    truncated_normal = TruncatedNormal
    variance_scaling = VarianceScaling
    zeros = Zeros
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.initializers.constants": (
                "Constant Identity Ones Zeros constant=Constant identity=Identity ones=Ones "
                "zeros=Zeros"
            ),
            "runtime.nn.initializers.initializer": "Initializer",
            "runtime.nn.initializers.registry": "deserialize get serialize",
            "runtime.nn.initializers.random": (
                "GlorotNormal GlorotUniform HeNormal HeUniform LecunNormal LecunUniform "
                "Orthogonal RandomNormal RandomUniform TruncatedNormal VarianceScaling "
                "glorot_normal=GlorotNormal glorot_uniform=GlorotUniform he_normal=HeNormal "
                "he_uniform=HeUniform lecun_normal=LecunNormal lecun_uniform=LecunUniform "
                "orthogonal=Orthogonal random_normal=RandomNormal random_uniform=RandomUniform "
                "truncated_normal=TruncatedNormal variance_scaling=VarianceScaling"
            ),
        },
    )
