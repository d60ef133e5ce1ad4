"""Rewrite golden files from the programs of the corpus.

python tools/regolden.py                     # all of them, and removes orphans
python tools/regolden.py simple_relu         # one program, by name or theme/name
python tools/regolden.py --check             # writes nothing, exits 1 on any difference
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.corpus import PROGRAMS, find
from tests.golden import render, store

_FEW = 50


def main(arguments: list[str] | None = None) -> int:
    """Write or check; the exit code of `--check` is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="regolden", description="Rewrite golden_outputs/.")
    parser.add_argument("names", nargs="*", help="programs, as `name` or `theme/name`")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    options = parser.parse_args(arguments)
    pages = dict(_pages([program.id for program in find(options.names)]))
    return _check(pages) if options.check else _write(pages, everything=not options.names)


def _pages(names: list[str]) -> Iterable[tuple[str, str]]:
    """Return the names with their pages, made by as many processes as are worth their start."""
    if len(names) < _FEW:
        return [_page(name) for name in names]
    with ProcessPoolExecutor() as pool:
        return list(pool.map(_page, names, chunksize=8))


def _page(name: str) -> tuple[str, str]:
    return name, render.page(find([name])[0])


def _check(pages: dict[str, str]) -> int:
    found = [text for name, page in pages.items() if (text := store.difference(name, page))]
    found += [f"{path.name}: no such program" for path in store.orphans(_all_ids())]
    print("\n".join([*found, f"golden files: {len(pages)} pages, {len(found)} differences"]))
    return 1 if found else 0


def _write(pages: dict[str, str], everything: bool) -> int:
    for name in store.write(pages):
        print(f"wrote {name}")
    for path in store.remove_orphans(_all_ids()) if everything else []:
        print(f"removed {path.name}")
    return 0


def _all_ids() -> list[str]:
    return [program.id for program in PROGRAMS]


if __name__ == "__main__":
    sys.exit(main())
