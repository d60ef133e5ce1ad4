"""Functions of the user's that ops are given: converted where a graph records what they do.

rt.map_fn(f, rows)         f may have an `if` on tensors, as any function that is called
rt.custom_gradient(f)      and so may what f returns for the gradient
"""

from __future__ import annotations

from autograph.conversion.convert import called
from runtime.staging import Staging

Staging.call = staticmethod(called)
