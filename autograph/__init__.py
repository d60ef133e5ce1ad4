"""Turns Python functions on tensors into graphs.

import autograph as ag
import autograph.runtime as rt

@ag.function
def relu(x):
    if x > 0:
        return x
    return 0.0

relu(rt.constant(-3.0))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograph.shadowing import check_runtime as _check_runtime

_check_runtime()

# ruff: noqa: E402  (the check comes first)
from autograph import errors as errors
from autograph.features import Feature as Feature
from autograph.functions import runtime_hooks as _given_functions
from runtime.core.converter_hooks import ConverterHooks as _ConverterHooks
from runtime.core.lazy_imports import lazy_attributes
from runtime.core.lazy_imports import lazy_import as _lazy_import
from runtime.core.spec import TensorSpec as TensorSpec

if TYPE_CHECKING:
    from autograph import jax as jax
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
    from autograph.exporting.export import export as export
    from autograph.functions.concrete_functions.concrete_function import (
        ConcreteFunction as ConcreteFunction,
    )
    from autograph.functions.decorator import function as function
    from autograph.functions.eager import functions_run_eagerly as functions_run_eagerly
    from autograph.functions.eager import run_functions_eagerly as run_functions_eagerly
    from autograph.functions.explain_retrace import explain_retrace as explain_retrace
    from autograph.functions.function import Function as Function
    from autograph.insight.explain import explain as explain
    from autograph.insight.profile import profile as profile
    from runtime.distribute.mesh import mesh as mesh
    from runtime.distribute.mesh import shard as shard
    from runtime.distribute.processes import initialize as initialize
    from runtime.distribute.processes import process_count as process_count
    from runtime.distribute.processes import process_index as process_index
    from runtime.executors.executor import register_engine as register_engine
else:
    _given_functions.install()
    _ConverterHooks.export = _lazy_import("autograph.exporting.served_model:export_model")
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "autograph": "jax saved_model",
            "autograph.checking.case": "Case",
            "autograph.checking.check": "check",
            "autograph.conversion.convert": "convert do_not_convert to_code to_graph",
            "autograph.conversion.verbosity": "set_verbosity trace",
            "autograph.directives": "set_loop_options",
            "autograph.exporting.export": "export",
            "autograph.functions.concrete_functions.concrete_function": "ConcreteFunction",
            "autograph.functions.decorator": "function",
            "autograph.functions.eager": "functions_run_eagerly run_functions_eagerly",
            "autograph.functions.function": "Function",
            "autograph.functions.explain_retrace": "explain_retrace",
            "autograph.insight.explain": "explain",
            "autograph.insight.profile": "profile",
            "runtime.distribute.mesh": "mesh shard",
            "runtime.distribute.processes": "initialize process_count process_index",
            "runtime.executors.executor": "register_engine",
        },
    )[:2]


__version__ = "0.2.0"

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
    "export",
    "function",
    "functions_run_eagerly",
    "initialize",
    "jax",
    "mesh",
    "process_count",
    "process_index",
    "profile",
    "register_engine",
    "run_functions_eagerly",
    "saved_model",
    "set_loop_options",
    "set_verbosity",
    "shard",
    "to_code",
    "to_graph",
    "trace",
]
