"""Attributes of low-level classes that higher layers implement, imported on first use.

A class that is not always imported is `opened` where it is made, and has from then on what this
table gives.
"""

from __future__ import annotations

from typing import Any

from runtime.core.lazy_imports import give, late
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.ops.op_index import OP_HOMES


def _session(name: str) -> Any:
    return late("runtime.session.evaluation", name)


def _tensor(name: str) -> property:
    return property(late("runtime.core.tensor_members", name))


_CPU = (1, 0)
_REFUSED = late("runtime.interop.dlpack", "refuse")
_OF_TENSORS: dict[type, dict[str, Any]] = {
    Tensor: {
        "T": _tensor("transposed"),
        "__array_namespace__": late("runtime.array_api", "namespace_of"),
        "mT": _tensor("matrices_transposed"),
        "set_shape": late("runtime.ops.arrays.set_shape", "set_shape"),
        "size": _tensor("size"),
        "to_device": late("runtime.array_api", "to_device"),
    },
    EagerTensor: {
        "__contains__": late("runtime.ops.python.membership", "is_in"),
        "__dlpack__": late("runtime.interop.dlpack", "to_dlpack"),
        "__dlpack_device__": lambda self: _CPU,
    },
    SymbolicTensor: {
        "__array_function__": late("runtime.interop.numpy.protocol", "array_function"),
        "__array_ufunc__": late("runtime.interop.numpy.protocol", "array_ufunc"),
        "__dlpack__": _REFUSED,
        "__dlpack_device__": _REFUSED,
        "eval": _session("evaluate"),
    },
}
_OF_OTHERS: dict[str, dict[str, Any]] = {
    "runtime.state.variable.Variable": {
        "eval": _session("evaluate_variable"),
        "initializer": property(_session("initializer")),
        "op": property(_session("node_of")),
    },
    "runtime.graph.node.Node": {"run": _session("run")},
    "runtime.graph.fetches.Group": {"run": _session("run")},
    "runtime.graph.graph.Graph": {
        "as_graph_def": late("runtime.export", "shown_graph_def"),
        "as_graph_element": _session("element"),
        "control_dependencies": _session("waiting"),
        "device": _session("on_device"),
        "finalize": _session("finalize"),
        "get_collection": _session("collection"),
        "get_operation_by_name": late("runtime.export.operations", "get_operation_by_name"),
        "get_operations": late("runtime.export.operations", "get_operations"),
        "get_tensor_by_name": late("runtime.export.operations", "get_tensor_by_name"),
        "name_scope": _session("scope_of_names"),
    },
    "runtime.autodiff.backward.NODE_RULES": {
        "py_function": late("runtime.autodiff.python_functions", "python_function_gradient"),
    },
    "runtime.ops.op.REGISTRY": OP_HOMES,
}


def _install() -> None:
    for tensors, members in _OF_TENSORS.items():
        for name, member in members.items():
            setattr(tensors, name, member)
    for place, given in _OF_OTHERS.items():
        give(place, given)


_install()
