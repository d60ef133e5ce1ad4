"""Functions of `keras.ops` that differ from those of `rt` in results, axes or defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.ops import control_flow as control_flow
    from runtime.nn.ops import creation as creation
    from runtime.nn.ops import elementwise as elementwise
    from runtime.nn.ops import fourier as fourier
    from runtime.nn.ops import linalg as linalg
    from runtime.nn.ops import manipulation as manipulation
    from runtime.nn.ops import neural as neural
    from runtime.nn.ops import numpy_functions as numpy_functions
    from runtime.nn.ops import segments as segments
    from runtime.nn.ops import statistics as statistics
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.ops": (
                "control_flow creation elementwise fourier linalg manipulation "
                "neural numpy_functions segments statistics"
            ),
        },
    )
