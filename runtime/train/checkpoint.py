"""`Checkpoint`: saves and restores variables by attribute paths."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import file_path
from runtime.core.context import current_recorder, recording
from runtime.core.dtypes import int64
from runtime.core.files import StrPath
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError
from runtime.state.variable import Variable
from runtime.train import archive
from runtime.train.object_graph import is_tracked, objects_in, parts_of, value_of
from runtime.train.reader import note_latest
from runtime.train.restore import (
    SAVE_COUNTER,
    LoadStatus,
    Restoration,
    begin,
    check_nodes,
    kept_parts,
    refuse_in_graph,
)


class Checkpoint:
    """A group of objects whose values are saved and restored together.

    Objects are modules, layers, optimizers, variables, iterators over datasets, other checkpoints,
    objects of your classes, and lists, tuples and dicts of these. Their parts are identified by the
    names of attributes, not by the names of variables. See `runtime.train.object_graph`.

    Args:
        root: an object whose children are children of this one.
        **kwargs: the objects, by name.

    Raises:
        ArgumentValueError: an object has no checkpointable form, or the name `save_counter`.

    Example:
        >>> import tempfile
        >>> step = Variable(3)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Checkpoint(step=step).save(folder + "/run")
        ...     _ = step.assign(0)
        ...     _ = Checkpoint(step=step).restore(path).assert_consumed()
        >>> int(step)
        3
    """

    _counter: Variable | None = None
    _restoration: Restoration | None = None

    def __init__(self, root: object = None, **kwargs: Any) -> None:
        if root is not None and not is_tracked(root):
            raise _untracked("root", root)
        object.__setattr__(self, "_root", root)
        for name, value in kwargs.items():
            if name == SAVE_COUNTER:
                own = f"'{SAVE_COUNTER}' is the checkpoint's own"
                raise ArgumentValueError(f"{own}: call it otherwise")
            if not is_tracked(value):
                raise _untracked(name, value)
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if not name.startswith("_") and self._restoration is not None:
            self._restoration.advance()

    @property
    def save_counter(self) -> Variable:
        """The number of saves, an int64 variable, which is saved as well."""
        if self._counter is None:
            with recording(None):
                counter = Variable(0, dtype=int64, trainable=False, name=SAVE_COUNTER)
            object.__setattr__(self, "_counter", counter)
            if self._restoration is not None:
                self._restoration.advance()
        assert self._counter is not None
        return self._counter

    def checkpoint_parts(self) -> dict[str, Any]:
        """Return the objects by name, with the parts of the root and the count of saves."""
        root = vars(self)["_root"]
        parts = {} if root is None else dict(parts_of(root))
        own = {name: part for name, part in vars(self).items() if name[0] != "_"}
        parts.update({name: part for name, part in own.items() if is_tracked(part)})
        return parts if self._counter is None else {**parts, SAVE_COUNTER: self._counter}

    # -- saving ------------------------------------------------------------------------------------

    def save(self, file_prefix: StrPath, options: Any = None) -> str:
        """Increase the count, and write to `<file_prefix>-<count>`; return that path.

        The file has the extension `.ckpt`, which is not part of the path; the file `checkpoint`
        beside it names the latest one.

        Raises:
            NotFoundError, PermissionDeniedError: a file cannot be written; the count is as before.
                If it is the file `checkpoint`, the file with the values exists already.
            ArgumentValueError: an object's `save()` returns data that no file can hold.
            FailedPreconditionError: a graph is being recorded.
        """
        refuse_in_graph(current_recorder(), "saved")
        counter = self.save_counter
        counter.assign_add(1)
        try:
            path = self.write(f"{file_path(file_prefix, 'file_prefix')}-{int(counter)}")
            note_latest(path)
        except BaseException:
            counter.assign_sub(1)
            raise
        return path

    def write(self, file_prefix: StrPath, options: Any = None) -> str:
        """Write to `file_prefix` without counting; return the path, for `read`.

        Raises:
            NotFoundError, PermissionDeniedError: the file cannot be written.
            ArgumentValueError: an object's `save()` returns data that no file can hold.
            FailedPreconditionError: a graph is being recorded.
        """
        refuse_in_graph(current_recorder(), "written")
        prefix = file_path(file_prefix, "file_prefix")
        if self._restoration is not None:
            self._restoration.advance()
        arrays: dict[str, Array] = {}
        nodes = []
        for each in objects_in(self.checkpoint_parts()):
            node: dict[str, Any] = {"parts": each.parts}
            if each.has_value:
                state = value_of(each.value, arrays, each.key)
                is_variable = isinstance(each.value, Variable)
                node.update(key=each.key, state=None if is_variable else {"of": state})
            nodes.append(node)
        archive.write(prefix, nodes, arrays)
        return prefix

    # -- restoring ---------------------------------------------------------------------------------

    def restore(self, save_path: StrPath, options: Any = None) -> LoadStatus:
        """Restore the values of objects; objects that are created later get theirs then.

        Args:
            save_path: the result of `save` or `write`; None restores nothing.

        Returns:
            A status, whose `assert_consumed()` checks that every value has an object.

        Raises:
            NotFoundError: there is no such checkpoint.
            DataLossError: it is damaged.
            DTypeError, ShapeError: a value does not match its variable; no variable has changed.
            FailedPreconditionError: a graph is being recorded.
        """
        refuse_in_graph(current_recorder(), "restored")
        if save_path is None:
            return LoadStatus(None)
        prefix = file_path(save_path, "save_path")
        nodes, arrays = archive.read(prefix)
        with archive.intact(f"'{prefix}' is damaged or no checkpoint"):
            check_nodes(nodes, arrays)
        if SAVE_COUNTER in nodes[0]["parts"]:
            _ = self.save_counter
        parts = kept_parts(self, self.checkpoint_parts())
        restoration = Restoration(prefix, nodes, arrays, parts)
        begin(restoration, self._restoration)
        object.__setattr__(self, "_restoration", restoration)
        return LoadStatus(restoration, self)

    read = restore

    def sync(self) -> None:
        """Do nothing: `save` returns after the file is written."""


def _untracked(name: str, value: Any) -> ArgumentValueError:
    return ArgumentValueError(
        f"'{name}' is {value!r}, in which a checkpoint finds no variables: give a Variable, a "
        "module, a list or a dict, or an object with save() and restore(state)"
    )
