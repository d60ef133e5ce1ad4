"""Losses on the size of weights: the namespace `rt.nn.regularizers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.regularizers.regularizer import L1 as L1
    from runtime.nn.regularizers.regularizer import L1L2 as L1L2
    from runtime.nn.regularizers.regularizer import L2 as L2
    from runtime.nn.regularizers.regularizer import Regularizer as Regularizer
    from runtime.nn.regularizers.regularizer import deserialize as deserialize
    from runtime.nn.regularizers.regularizer import get as get
    from runtime.nn.regularizers.regularizer import serialize as serialize

    l1 = L1
    l1_l2 = L1L2
    l2 = L2
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.regularizers.regularizer": (
                "L1 L1L2 L2 Regularizer deserialize get serialize l1=L1 l1_l2=L1L2 l2=L2"
            ),
        },
    )
