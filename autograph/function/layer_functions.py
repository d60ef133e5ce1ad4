"""What the user writes in layers, losses and metrics: converted where a graph records their calls.

layer(x)    ->    the layer's own code runs as it is, and the `call` of the user's is converted
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.conversion.convert import called
from autograph.function.decorator import function
from runtime.nn.layers.staging import Staging

Staging.call = staticmethod(called)
Staging.function = staticmethod(function)
