"""`Saver`: saves and restores the variables of a session by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.files import StrPath
from runtime.core.spec import TensorSpec
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError, MissingNameError, ShapeError
from runtime.session.initializer import global_variables
from runtime.session.session import Session
from runtime.state.variable import Variable
from runtime.train import archive
from runtime.train.reader import note_latest


class Saver:
    """Saves and restores the values of variables in a session.

    Args:
        var_list: the variables, or a dict from the names they have in files; by default all of the
            graph.
        max_to_keep: the number of files to keep; older ones of this saver are deleted. None or 0
            keeps all.

    Raises:
        ArgumentValueError: there is no variable to save.

    Example:
        >>> import os, tempfile
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
        ...     v = rt.Variable(1.0, name="v")
        ...     more, saver = v.assign_add(2.0), Saver()
        ...     with rt.session.Session() as session:
        ...         session.run(v.initializer)
        ...         _ = session.run(more)
        ...         path = saver.save(session, os.path.join(folder, "model"), global_step=1)
        ...     with rt.session.Session() as session:
        ...         saver.restore(session, path)
        ...         float(session.run(v))
        3.0
    """

    def __init__(self, var_list: Any = None, max_to_keep: int | None = 5) -> None:
        self._variables = _by_name(global_variables() if var_list is None else var_list)
        if not self._variables:
            raise ArgumentValueError("there is no variable to save: make the Saver after them")
        self._most = max_to_keep or 0
        self.last_checkpoints: list[str] = []

    def save(self, sess: Session, save_path: StrPath, global_step: TensorLike | None = None) -> str:
        """Write the variables' values in a session, and return the path to restore from.

        Args:
            sess: the session.
            save_path: the path; the file's extension is added.
            global_step: a number, or a variable that stores it, appended to the path.

        Raises:
            FailedPreconditionError: a variable has no value in the session.
        """
        path = os.fspath(save_path)
        if global_step is not None:
            step: Any = sess.run(global_step) if isinstance(global_step, Variable) else global_step
            path = f"{path}-{int(step)}"
        arrays = {name: sess.storage_of(each)._array for name, each in self._variables.items()}
        archive.write(path, {}, arrays)
        if path in self.last_checkpoints:
            self.last_checkpoints.remove(path)
        self.last_checkpoints.append(path)
        while self._most and len(self.last_checkpoints) > self._most:
            _delete(self.last_checkpoints.pop(0))
        note_latest(path, self.last_checkpoints[:-1])
        return path

    def restore(self, sess: Session, save_path: StrPath) -> None:
        """Assign the values in a file to the variables of a session.

        Raises:
            NotFoundError: there is no such file, or it lacks a variable's value.
            ShapeError: a value has another shape or dtype than its variable; then none is restored.
        """
        _, arrays = archive.read(os.fspath(save_path))
        for name, variable in self._variables.items():
            if name not in arrays:
                raise MissingNameError(f"there is no value for variable {name!r} in {save_path!r}")
            saved = TensorSpec.of_array(arrays[name])
            if saved.dtype is not variable.dtype or not variable.shape.contains(saved.shape.dims):
                raise ShapeError(
                    f"variable {name!r} is {variable.spec}, but its saved value is {saved}"
                )
        for name, variable in self._variables.items():
            sess.storage_of(variable).store(arrays[name])


def _by_name(var_list: Any) -> dict[str, Variable]:
    if isinstance(var_list, Mapping):
        return dict(var_list)
    if not isinstance(var_list, Iterable):
        raise ArgumentValueError(
            f"a Saver takes a list or dict of variables, not {shown(var_list)}"
        )
    return {each.name.partition(":")[0]: each for each in var_list}


def _delete(path: str) -> None:
    if os.path.exists(path + archive.SUFFIX):
        os.remove(path + archive.SUFFIX)
