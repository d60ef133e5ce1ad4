"""Builds the site from the pages of docs/, the docstrings and the gallery.

    python tools/docs.py           # into build/docs/site; open index.html there
    python tools/docs.py --fresh   # from nothing

The extra `docs` installs the requirements. A warning of Sphinx, a cell of the gallery that fails
and a link that leads nowhere are errors. The gallery's notebooks run in the build; a later build
runs only those that have changed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import docs_links, docs_pages

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "docs"
NEEDED = ("sphinx", "myst_nb", "furo", "sphinx_design", "sphinx_copybutton", "matplotlib", "jax")


def build(folder: Path = BUILD) -> list[str]:
    """Build the site in a folder; return the problems, with Sphinx's first."""
    from tools import docs_reference, docs_source

    pages, site = folder / "pages", folder / "site"
    sources = docs_pages.write_pages(pages)
    docs_reference.write_pages(pages / "api")
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(_profile(folder))}
    words = ("-c", ROOT / "docs", "-d", folder / "state", "-j", "auto", "-q", "-W", "--keep-going")
    command = [sys.executable, "-m", "sphinx", *map(str, words), str(pages), str(site)]
    done = subprocess.run(command, cwd=ROOT, env=variables, check=False)
    if done.returncode:
        return [f"sphinx ended with {done.returncode}"]
    docs_source.write_sources(sources | docs_source.linked_from(site / "api"), site)
    return docs_links.broken_links(site)


def _profile(folder: Path) -> Path:
    """Make settings of IPython for the notebooks: not the user's, and without warnings."""
    profile = folder / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n")
    return folder / "ipython"


def main(arguments: list[str] | None = None) -> int:
    """Build the site; the exit code is 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="docs", description="Build the site.")
    parser.add_argument("--fresh", action="store_true", help="build from nothing")
    options = parser.parse_args(arguments)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f'{", ".join(missing)}: not installed; pip install -e ".[docs]"')
        return 1
    if options.fresh and BUILD.exists():
        shutil.rmtree(BUILD)
    began = time.perf_counter()
    problems = build()
    print("\n".join(problems) or f"{BUILD / 'site' / 'index.html'}", file=sys.stderr)
    print(f"{len(problems)} problems, {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
