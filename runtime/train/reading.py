"""What is in checkpoints, and which one is the latest: without the objects they were made of."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import file_path
from runtime.core.files import write_atomically
from runtime.errors import NotFoundError
from runtime.train import archive

STATE_FILE = "checkpoint"


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """Return the path of the checkpoint that was saved last in a folder, None if there is none.

    >>> latest_checkpoint("/a/folder/that/is/not/there")
    """
    paths = saved_in(
        file_path(checkpoint_dir, "checkpoint_dir"),
        STATE_FILE if latest_filename is None else file_path(latest_filename, "latest_filename"),
    )
    return paths[-1] if paths and os.path.exists(paths[-1] + archive.SUFFIX) else None


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """Return keys and shapes of the values in a checkpoint, or in the latest one of a folder.

    Raises:
        NotFoundError: there is none.
        DataLossError: it is damaged.
    """
    arrays = archive.read(prefix_of(ckpt_dir_or_file))[1]
    return sorted((key, list(array.shape)) for key, array in arrays.items())


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """Return one value of a checkpoint as NumPy has it.

    Args:
        name: a key as `list_variables` gives it, or only what stands in it before `/.ATTRIBUTES`.

    Raises:
        NotFoundError: there is no such checkpoint, or nothing of that name in it.
        DataLossError: it is damaged.
    """
    prefix = prefix_of(ckpt_dir_or_file)
    arrays = archive.read(prefix)[1]
    for key in (name, f"{name}/.ATTRIBUTES/VARIABLE_VALUE"):
        if key in arrays:
            return arrays[key] if arrays[key].ndim else arrays[key][()]
    raise NotFoundError(f"'{name}' is not in '{prefix}': it has {', '.join(sorted(arrays))}")


def saved_in(folder: str, filename: str = STATE_FILE) -> list[str]:
    """Return the paths that the file `checkpoint` of a folder names, the latest one last."""
    try:
        with open(os.path.join(folder, filename), encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return []
    quoted = re.findall(r'^(\w+): ("(?:[^"\\]|\\.)*")$', text, re.MULTILINE)
    try:
        named = [(word, json.loads(path)) for word, path in quoted]
    except ValueError:
        return []
    latest = [path for word, path in named if word == "model_checkpoint_path"]
    others = [path for word, path in named if word == "all_model_checkpoint_paths"]
    paths = [*(path for path in others if path not in latest), *latest]
    return [path if os.path.isabs(path) else os.path.join(folder, path) for path in paths]


def note_latest(prefix: str, others: Sequence[str] = ()) -> None:
    """Write which checkpoint of its folder is the latest; `others` are kept beside it."""
    folder = os.path.dirname(prefix)
    names = [json.dumps(os.path.relpath(path, folder or ".")) for path in (*others, prefix)]
    lines = [f"model_checkpoint_path: {names[-1]}"]
    lines += [f"all_model_checkpoint_paths: {name}" for name in names]
    write_atomically(os.path.join(folder, STATE_FILE), ("\n".join(lines) + "\n").encode())


def prefix_of(ckpt_dir_or_file: Any) -> str:
    """Return the path of a checkpoint, the latest one of a folder; NotFoundError for none."""
    path = file_path(ckpt_dir_or_file, "ckpt_dir_or_file")
    if not os.path.isdir(path) or os.path.exists(path + archive.SUFFIX):
        return path
    latest = latest_checkpoint(path)
    if latest is None:
        raise NotFoundError(f"there is no checkpoint in the folder '{path}'")
    return latest
