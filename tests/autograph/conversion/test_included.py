"""What `include` takes, and which modules it covers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from autograph.conversion.included import checked_include, is_within
from autograph.errors import ConversionError


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ((), ()),
        (["textwrap", "json"], ("json", "textwrap")),
        ({"json.decoder"}, ("json.decoder",)),
        (iter(("json", "json")), ("json",)),
    ],
)
def test_names_are_sorted_and_stand_once(given: Any, names: tuple[str, ...]) -> None:
    assert names == checked_include(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("json", "include takes several names, not 'json': write include=('json', "),
        (3, "include takes several names, not 3: write include="),
        ((json,), "include takes names of modules: write 'json'"),
        ((3,), "include takes names of modules, not 3: write include="),
        (("jsom",), "include: there is no module named 'jsom'; did you mean 'json'?"),
        (("json.decode.more",), "include: there is no module named 'json.decode.more'"),
        (("zzzzqqqq",), "include: there is no module named 'zzzzqqqq'"),
        (("",), "include: there is no module named ''"),
        ((".json",), "include: there is no module named '.json'"),
    ],
)
def test_what_is_no_name_of_a_module_is_refused_in_a_line(given: Any, message: str) -> None:
    with pytest.raises(ConversionError) as refused:
        checked_include(given)
    text = str(refused.value)
    assert text.startswith(message)
    assert "\n" not in text


def test_a_module_is_not_imported_to_know_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_module_of_nobody.py").write_text("raise ValueError('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert ("a_module_of_nobody",) == checked_include(("a_module_of_nobody",))
    assert "a_module_of_nobody" not in sys.modules


def test_a_package_covers_what_is_inside_it() -> None:
    include = ("json", "os.path")
    assert [True, True, False, False, True, False] == [
        is_within(module, include)
        for module in ("json", "json.decoder", "jsonschema", "os", "os.path", None)
    ]
