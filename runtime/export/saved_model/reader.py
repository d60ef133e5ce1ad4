"""Reads the files of a SavedModel: the graph with its objects, and the values of the variables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from runtime.core.fork_safety import cached_property
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, DataLossError, NotFoundError
from runtime.export.protobuf import Message
from runtime.export.saved_model.asset_files import ASSETS
from runtime.export.saved_model.messages import (
    AssetFileDef,
    MetaGraphDef,
    ObjectReference,
    SavedModel,
    TrackableObjectGraph,
)
from runtime.export.saved_model.tensor_bundle import Bundle
from runtime.export.saved_model.writer import FILE, OBJECT_GRAPH_KEY, SERVE, VALUE, VARIABLES

# The collection with the assets of TensorFlow 1.
_ASSETS_OF_1 = "saved_model_assets"
# The name of the value of a table, whose keys and values have this one before their own.
_TABLE = "table"


class SavedModelFiles:
    """The files of a SavedModel.

    Args:
        path: the directory.
        tags: the tags of one of its graphs.

    Attributes:
        meta: the graph with these tags.

    Raises:
        NotFoundError: there is no such directory, or it has no checkpoint.
        ArgumentValueError: there is no graph with these tags; the error names those that exist.
        DataLossError: a file is damaged.
    """

    def __init__(self, path: str, tags: Iterable[str] | None = None) -> None:
        self._path = path
        self.meta = _graph_with(_read(os.path.join(path, FILE)), tags)
        prefix = os.path.join(path, VARIABLES, VARIABLES)
        self._bundle = Bundle(prefix) if os.path.exists(f"{prefix}.index") else None

    def keys(self) -> dict[int, str]:
        """Return the keys of variables and tables in the checkpoint, by the numbers of objects.

        The objects of the graph and those of the checkpoint are found by the same names.
        """
        objects = self.meta.object_graph_def.nodes
        if self._bundle is None or OBJECT_GRAPH_KEY not in self._bundle:
            return {}
        stored = self._bundle.array(OBJECT_GRAPH_KEY)
        if stored.shape != () or not isinstance(stored.item(), bytes):
            raise DataLossError("the object graph of the checkpoint is not a string")
        values = TrackableObjectGraph.FromString(stored.item()).nodes
        found: dict[int, str] = {}
        for place, other in _pairs(objects, values).items():
            for attribute in values[other].attributes:
                if attribute.name in (VALUE, _TABLE):
                    found[place] = attribute.checkpoint_key
        return found

    def array(self, key: str) -> Array:
        """Return a value of the checkpoint; NotFoundError or DataLossError if that cannot be."""
        if self._bundle is None:
            raise NotFoundError(f"'{self._path}' has no values of variables")
        return self._bundle.array(key)

    @cached_property
    def assets(self) -> Sequence[AssetFileDef]:
        """The assets; TensorFlow 1 has them in a collection."""
        if self.meta.asset_file_def or _ASSETS_OF_1 not in self.meta.collection_def:
            return list(self.meta.asset_file_def)
        collection = self.meta.collection_def[_ASSETS_OF_1]
        return [AssetFileDef.FromString(each.value) for each in collection.any_list.value]

    def asset(self, position: int) -> str:
        """Return the path of an asset, which lies in the directory.

        Raises:
            DataLossError: there is no such asset, its file is missing, or it lies elsewhere.
        """
        assets = self.assets
        name = assets[position].filename if 0 <= position < len(assets) else ""
        folder = os.path.realpath(os.path.join(self._path, ASSETS))
        path = os.path.realpath(os.path.join(folder, name))
        if not name or not path.startswith(folder + os.sep):
            raise DataLossError(f"the asset {name!r:.80} does not lie in the SavedModel")
        if not os.path.isfile(path):
            raise DataLossError(f"the SavedModel has no file of its asset {name!r:.80}")
        return path


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise NotFoundError(f"'{path}' cannot be read: {error.strerror}") from None


def _graph_with(data: bytes, tags: Iterable[str] | None) -> MetaGraphDef:
    graphs = SavedModel.FromString(data).meta_graphs
    if not graphs:
        raise DataLossError("the SavedModel has no graph")
    wanted = {SERVE} if tags is None else {tags} if isinstance(tags, str) else set(tags)
    for graph in graphs:
        if set(graph.meta_info_def.tags) == wanted:
            return graph
    if tags is None and len(graphs) == 1:
        return graphs[0]
    known = "; ".join(", ".join(each.meta_info_def.tags) for each in graphs)
    raise ArgumentValueError(
        f"no graph of the SavedModel has the tags {', '.join(sorted(wanted))}: there are {known}"
    )


def _pairs(objects: Sequence[Message], values: Sequence[Message]) -> Mapping[int, int]:
    """Return for each object its number in the checkpoint."""
    found = {0: 0} if objects and values else {}
    waiting = list(found.items())
    while waiting:
        place, other = waiting.pop()
        named = {each.local_name: each.node_id for each in _children(values, other)}
        for child in _children(objects, place):
            if child.local_name in named and child.node_id not in found:
                found[child.node_id] = named[child.local_name]
                waiting.append((child.node_id, named[child.local_name]))
    return found


def _children(nodes: Sequence[Message], place: int) -> Sequence[ObjectReference]:
    if not 0 <= place < len(nodes):
        raise DataLossError(f"an object has the number {place}, and there are {len(nodes)}")
    children: Sequence[ObjectReference] = nodes[place].children
    return children
