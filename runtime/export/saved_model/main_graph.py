"""The main graph of a SavedModel: variables, signatures, and the nodes that read the checkpoint.

    serving_default_x  VarHandleOp(v)           saver_filename
                  \\        |                          |
          StatefulPartitionedCall(f)      RestoreV2 -> AssignVariableOp ... -> restore_all

The path of an asset is a variable, which the initializer sets to the path that a server finds.

TensorFlow Serving and `saved_model_cli` run these nodes by name; `tf.saved_model.load` uses the
object graph and the functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, string
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.export.graphdef.attribute_values import shape_proto
from runtime.export.graphdef.data_types import number_of
from runtime.export.graphdef.function_body import Body, ValueRef, node_name
from runtime.export.graphdef.messages import NameAttrList, NodeDef
from runtime.export.graphdef.to_function import LibraryFunction
from runtime.export.saved_model.messages import SaverDef, SignatureDef, TensorInfo
from runtime.graph.capture import Outer
from runtime.state.asset import Asset
from runtime.state.variable import Variable

INITIALIZER = "__saved_model_init_op"
_METHOD = "tensorflow/serving/predict"
_TEXT = TensorSpec((), string)
_UNKNOWN = TensorShape(None)


class MainGraph:
    """The nodes under construction.

    Args:
        variables: the variables, by their keys in the checkpoint.
        assets: the assets.

    Attributes:
        asset_paths: for each asset the name of the tensor that a server sets to its path.
    """

    def __init__(self, variables: Mapping[str, Variable], assets: Sequence[Asset] = ()) -> None:
        self._body = Body()
        self._variables = variables
        self._handles = {
            id(each): self._handle(
                node_name(each.name.partition(":")[0]), TensorSpec(each.shape, each.dtype)
            )
            for each in variables.values()
        }
        self._paths: dict[int, ValueRef] = {}
        self._initial: list[str] = []
        self.asset_paths = [self._asset(each) for each in assets]

    @property
    def nodes(self) -> list[NodeDef]:
        """The nodes so far."""
        return self._body.nodes

    def _handle(self, wanted: str, spec: TensorSpec) -> ValueRef:
        name = self._body.names.fresh(wanted)
        attrs = {"dtype": spec.dtype, "shape": spec.shape, "shared_name": name, "container": ""}
        return self._body.add("VarHandleOp", (), attrs, name)[0]

    def _asset(self, asset: Asset) -> str:
        """Add the variable of an asset's path; return the name of the tensor that sets it."""
        path = self._placeholder("asset_path", _TEXT)
        handle = self._paths[id(asset.asset_path)] = self._handle("asset", _TEXT)
        self._initial.append(self._assign(handle, path, "init/AssignVariableOp"))
        return f"{path.node}:0"

    def _assign(self, handle: ValueRef, value: ValueRef, wanted: str) -> str:
        name = self._body.names.fresh(wanted)
        self._body.add("AssignVariableOp", [handle, value], {"validate_shape": False}, name)
        return name

    def _held(self, outer: Outer) -> ValueRef:
        """Return the argument of a function for a captured variable or for the path of an asset."""
        if id(outer) in self._handles:
            return self._handles[id(outer)]
        return self._value(self._paths[id(outer)], string, "asset/ReadVariableOp")

    def add_signature(
        self, name: str, inputs: Sequence[str], called: LibraryFunction, outputs: Sequence[str]
    ) -> SignatureDef:
        """Add a call of a function, and placeholders for its arguments; return its signature."""
        given = [
            self._placeholder(f"{name}_{key}", tensor.spec)
            for key, tensor in zip(inputs, called.parameters)
        ]
        handles = [self._held(each) for each in called.captured]
        op = "StatefulPartitionedCall" if called.is_stateful else "PartitionedCall"
        made = self._body.add(
            op,
            [[*given, *handles]],
            {
                "f": NameAttrList(name=called.name),
                "Tout": [tensor.dtype for tensor in called.outputs],
            },
        )
        return SignatureDef(
            inputs={key: _info(r, t.spec) for key, r, t in zip(inputs, given, called.parameters)},
            outputs={key: _info(r, t.spec) for key, r, t in zip(outputs, made, called.outputs)},
            method_name=_METHOD,
        )

    def _placeholder(self, name: str, spec: TensorSpec) -> ValueRef:
        full = self._body.names.fresh(node_name(name))
        return self._body.add("Placeholder", (), {"dtype": spec.dtype, "shape": spec.shape}, full)[
            0
        ]

    def initializer(self) -> SignatureDef:
        """Add the node that a server runs after it has read the checkpoint."""
        name = self._body.names.fresh("init")
        self._body.add("NoOp", (), name=name, waits=self._initial)
        info = TensorInfo(name=name, tensor_shape=shape_proto(_UNKNOWN))
        return SignatureDef(outputs={INITIALIZER: info})

    def saver(self) -> SaverDef:
        """Add the nodes that write a checkpoint and read one; return their names."""
        path = self._placeholder("saver_filename", _TEXT)
        return SaverDef(
            filename_tensor_name=f"{path.node}:0",
            save_tensor_name=f"{self._save(path)}:0",
            restore_op_name=self._restore(path),
            version=2,
        )

    def _keys(self, scope: str) -> tuple[ValueRef, ValueRef]:
        """Return constants of the keys, and of the slices, which are the whole tensors."""
        count = len(self._variables)
        keys, slices = np.array(list(self._variables), object), np.array([""] * count, object)
        return (
            self._body.const(keys, f"{scope}/tensor_names"),
            self._body.const(slices, f"{scope}/shape_and_slices"),
        )

    def _save(self, path: ValueRef) -> str:
        waits: list[str] = []
        if self._variables:
            values = [
                self._value(self._handles[id(each)], each.dtype, "save/ReadVariableOp")
                for each in self._variables.values()
            ]
            self._body.add("SaveV2", [path, *self._keys("save"), values], {}, "save/SaveV2")
            waits = ["save/SaveV2"]
        return self._body.add("Identity", [path], None, "save/path", waits)[0].node

    def _value(self, handle: ValueRef, dtype: DType, wanted: str) -> ValueRef:
        name = self._body.names.fresh(wanted)
        return self._body.add("ReadVariableOp", [handle], {"dtype": dtype}, name)[0]

    def _restore(self, path: ValueRef) -> str:
        variables, waits = list(self._variables.values()), []
        if variables:
            kinds: Any = {"dtypes": [each.dtype for each in variables]}
            keys = self._keys("restore")
            values = self._body.add("RestoreV2", [path, *keys], kinds, "restore/RestoreV2")
            for variable, value in zip(variables, values):
                handle = self._handles[id(variable)]
                waits.append(self._assign(handle, value, "restore/AssignVariableOp"))
        self._body.add("NoOp", (), name="restore_all", waits=waits)
        return "restore_all"


def _info(ref: ValueRef, spec: TensorSpec) -> TensorInfo:
    return TensorInfo(
        name=f"{ref.node}:{ref.index}",
        dtype=number_of(spec.dtype),
        tensor_shape=shape_proto(spec.shape),
    )
