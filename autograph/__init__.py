"""Ordinary Python functions over tensors, turned into graphs.

import autograph as ag
import runtime as rt

@ag.function
def relu(x):
    if x > 0:
        return x
    return 0.0

relu(rt.constant(-3.0))
"""

from __future__ import annotations

from autograph import errors as errors
from autograph import saved_model as saved_model
from autograph.checking.case import Case as Case
from autograph.checking.check import check as check
from autograph.conversion.convert import convert as convert
from autograph.conversion.convert import do_not_convert as do_not_convert
from autograph.conversion.convert import to_code as to_code
from autograph.conversion.convert import to_graph as to_graph
from autograph.conversion.verbosity import set_verbosity as set_verbosity
from autograph.conversion.verbosity import trace as trace
from autograph.directives import set_loop_options as set_loop_options
from autograph.features import Feature as Feature
from autograph.function import element_functions as _element_functions  # noqa: F401
from autograph.function import layer_functions as _layer_functions  # noqa: F401
from autograph.function.concrete import ConcreteFunction as ConcreteFunction
from autograph.function.decorator import function as function
from autograph.function.eager import functions_run_eagerly as functions_run_eagerly
from autograph.function.eager import run_functions_eagerly as run_functions_eagerly
from autograph.function.function import Function as Function
from autograph.function.retracing import explain_retrace as explain_retrace
from autograph.insight.explain import explain as explain
from autograph.insight.profile import profile as profile
from runtime.spec import TensorSpec as TensorSpec

__version__ = "0.1.0"

__all__ = [
    "Case",
    "ConcreteFunction",
    "Feature",
    "Function",
    "TensorSpec",
    "check",
    "convert",
    "do_not_convert",
    "errors",
    "explain",
    "explain_retrace",
    "function",
    "functions_run_eagerly",
    "profile",
    "run_functions_eagerly",
    "saved_model",
    "set_loop_options",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]
