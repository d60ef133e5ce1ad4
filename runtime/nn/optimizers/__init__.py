"""Optimizers: the namespace `rt.nn.optimizers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.optimizers import schedules as schedules
    from runtime.nn.optimizers.adagrad import Adadelta as Adadelta
    from runtime.nn.optimizers.adagrad import Adafactor as Adafactor
    from runtime.nn.optimizers.adagrad import Adagrad as Adagrad
    from runtime.nn.optimizers.adagrad import RMSprop as RMSprop
    from runtime.nn.optimizers.adam import Adam as Adam
    from runtime.nn.optimizers.adam import Adamax as Adamax
    from runtime.nn.optimizers.adam import AdamW as AdamW
    from runtime.nn.optimizers.adam import Lamb as Lamb
    from runtime.nn.optimizers.adam import Lion as Lion
    from runtime.nn.optimizers.adam import Nadam as Nadam
    from runtime.nn.optimizers.ftrl import Ftrl as Ftrl
    from runtime.nn.optimizers.optimizer import Optimizer as Optimizer
    from runtime.nn.optimizers.registry import deserialize as deserialize
    from runtime.nn.optimizers.registry import get as get
    from runtime.nn.optimizers.registry import serialize as serialize
    from runtime.nn.optimizers.sgd import SGD as SGD
    from runtime.nn.optimizers.sgd import Momentum as Momentum
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.optimizers": "schedules",
            "runtime.nn.optimizers.adam": "Adam AdamW Adamax Lamb Lion Nadam",
            "runtime.nn.optimizers.ftrl": "Ftrl",
            "runtime.nn.optimizers.registry": "deserialize get serialize",
            "runtime.nn.optimizers.optimizer": "Optimizer",
            "runtime.nn.optimizers.sgd": "Momentum SGD",
            "runtime.nn.optimizers.adagrad": "Adadelta Adafactor Adagrad RMSprop",
        },
    )
