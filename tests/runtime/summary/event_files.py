"""Event files read by TensorBoard's own reader, for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def events_in(folder: Path) -> list[Any]:
    """Every event in the event files of a folder; skips the test where TensorBoard is missing."""
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto.event_pb2 import Event

    files = sorted(folder.glob("events.out.tfevents.*"))
    return [Event.FromString(raw) for path in files for raw in RawEventFileLoader(str(path)).Load()]


def values_in(folder: Path) -> list[tuple[int, str, Any]]:
    """The step, the tag and the array of every summary in a folder."""
    from tensorboard.util.tensor_util import make_ndarray

    return [
        (event.step, value.tag, make_ndarray(value.tensor))
        for event in events_in(folder)
        for value in event.summary.value
    ]


def plugins_in(folder: Path) -> list[tuple[str, str, bytes, int]]:
    """The tag, the plugin, its content and the class of data of every summary in a folder."""
    return [
        (
            value.tag,
            value.metadata.plugin_data.plugin_name,
            value.metadata.plugin_data.content,
            value.metadata.data_class,
        )
        for event in events_in(folder)
        for value in event.summary.value
    ]
