"""Full golden pages show every operator that converters write, and each way of control flow."""

from __future__ import annotations

import re

from autograph.conversion.convert import STANDARD_CONVERTER
from tests.corpus import PROGRAMS
from tests.golden import store
from tests.golden.full_pages import FULL

CONVERTERS = store.FOLDER.parent / "autograph" / "converters"
# Written for the backends whose lists cannot change, as that of autograph.jax.
OF_NEW_LISTS = {"list_extend"}
CONTROL = {"cond", "while_loop", "try_except"}
PAGES = "\n".join((store.FOLDER / f"{name}.md").read_text("utf-8") for name in sorted(FULL))


def test_full_pages_are_pages_of_programs() -> None:
    assert set() == FULL - {program.id for program in PROGRAMS}


def test_every_operator_is_shown() -> None:
    texts = "\n".join(path.read_text("utf-8") for path in CONVERTERS.glob("*.py"))
    found = re.findall(r"ag__\.([a-z_]+)\(", texts)
    written = {name for name in found if hasattr(STANDARD_CONVERTER.vocabulary, name)}
    assert len(written) > 5
    assert OF_NEW_LISTS == {name for name in written if f"ag__.{name}(" not in PAGES}


def test_every_node_of_control_flow_is_shown() -> None:
    assert set() == {name for name in CONTROL if f" {name}(" not in PAGES}
