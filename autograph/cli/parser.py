"""The parser of the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import islice
from typing import NoReturn

from autograph.errors import CommandError
from runtime.core.lazy_imports import lazy_import
from runtime.export.formats import FORMATS

_TARGET = "a function in a file: model.py:step"
# The options that take a value.
_WITH_VALUE = ("--case", "--chrome", "--format", "--html", "--output", "--tensorboard", "-o")
_INVALID_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)$")
did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")
_ARGUMENTS = "Python literals or .npy files; numbers and lists become tensors, name=value names one"


def options_first(words: Sequence[str]) -> list[str]:
    """Move options before the arguments: `argparse` allows no arguments on both sides of options.

    >>> options_first(["run", "f.py:f", "--trace", "3"])
    ['run', '--trace', 'f.py:f', '3']
    >>> options_first(["launch", "-n", "2", "train.py", "--fast"])
    ['launch', '-n', '2', 'train.py', '--fast']
    """
    if words[:1] == ["launch"]:  # the words after the program are its own
        return list(words)
    options: list[str] = []
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if word.startswith("--") or word in _WITH_VALUE:
            options += [word, *islice(rest, word in _WITH_VALUE)]
        else:
            others.append(word)
    return [*others[:1], *options, *others[1:]]


class OneLineParser(argparse.ArgumentParser):
    """A parser that raises CommandError instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        found = _INVALID_CHOICE.search(message)
        if found is not None:
            instead = did_you_mean(found[1], re.findall(r"[\w-]+", found[2]))
            message = f"{message}{instead}"
        raise CommandError(f"{message} (see {self.prog} --help)")


def make_parser(version: str) -> argparse.ArgumentParser:
    """Return the parser; the name of the command is in its result's `command`."""
    parser = OneLineParser(
        prog="autograph", description="Show how Python functions become graphs, and run them."
    )
    parser.add_argument("--version", action="version", version=f"autograph {version}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_code(commands)
    _add_graph(commands)
    _add_run(commands)
    _add_explain(commands)
    _add_profile(commands)
    _add_check(commands)
    _add_export(commands)
    _add_port(commands)
    _add_launch(commands)
    commands.add_parser("demo", help="a guided tour of five small programs")
    return parser


def _add_code(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    code = commands.add_parser("code", help="print the converted code of a function")
    code.add_argument("target", metavar="FILE.py:FUNCTION", help=_TARGET)
    form = code.add_mutually_exclusive_group()
    form.add_argument("--side-by-side", action="store_true", help="source and converted code")
    form.add_argument("--compiled", action="store_true", help="the form that Python compiles")
    form.add_argument("--html", metavar="OUT.html", help="write both as one page, lines linked")


def _add_graph(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    graph = commands.add_parser("graph", help="print the graph of a call")
    _add_call(graph)
    form = graph.add_mutually_exclusive_group()
    form.add_argument("--dot", action="store_true", help="as Graphviz text")
    form.add_argument("--graphdef", action="store_true", help="as TensorFlow's GraphDef, as text")
    form.add_argument("--html", metavar="OUT.html", help="write a page with a picture")
    form.add_argument(
        "--passes", action="store_true", help="before the passes, and after each that changes it"
    )
    form.add_argument("--tensorboard", metavar="DIR", help="write an event file for TensorBoard")


def _add_run(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    run = commands.add_parser("run", help="call a function as a graph")
    _add_call(run)
    mode = run.add_mutually_exclusive_group()
    mode.add_argument("--trace", action="store_true", help="show every stage")
    mode.add_argument("--eager", action="store_true", help="run the Python function instead")


def _add_explain(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    explain = commands.add_parser(
        "explain",
        help="say line by line what is converted, what stays Python, and why; with arguments, what "
        "becomes of the call",
    )
    _add_call(explain)
    explain.add_argument("--html", metavar="OUT.html", help="write it as a page")


def _add_profile(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    profile = commands.add_parser(
        "profile", help="call a function as a graph and say what each line and node took"
    )
    _add_call(profile)
    profile.add_argument(
        "--chrome", metavar="OUT.json", help="write a trace for Perfetto or about:tracing"
    )


def _add_check(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    check = commands.add_parser(
        "check", help="run a function plain, converted and as a graph, and print the differences"
    )
    check.add_argument("target", metavar="FILE.py:FUNCTION", help=_TARGET)
    check.add_argument(
        "--case",
        metavar="ARGS",
        action="append",
        required=True,
        help="the arguments of one call, as for `run`, with commas between; may be given again",
    )


def _add_export(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    export = commands.add_parser(
        "export", help="write a function to a file that other programs run"
    )
    _add_call(export)
    export.add_argument(
        "--format", choices=sorted(FORMATS), default="saved_model", help="the form of the file"
    )
    export.add_argument(
        "-o", "--output", metavar="PATH", required=True, help="the file, or the folder"
    )
    export.add_argument("--strict", action="store_true", help="refuse what the format cannot have")


def _add_port(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    port = commands.add_parser(
        "port",
        help="print the imports of a TensorFlow program that change, and the names it uses that "
        "are not here",
    )
    port.add_argument("file", metavar="FILE.py", help="a program that imports TensorFlow or Keras")
    port.add_argument("--write", action="store_true", help="change the imports in the file")


def _add_launch(commands: argparse._SubParsersAction[OneLineParser]) -> None:
    launch = commands.add_parser(
        "launch", help="run a program as several processes on this machine, each with a rank"
    )
    launch.add_argument("-n", type=int, required=True, help="the number of processes")
    launch.add_argument("-m", dest="module", action="store_true", help="the program is a module")
    launch.add_argument("program", metavar="PROGRAM.py", help="the program")
    launch.add_argument(
        "arguments", metavar="ARG", nargs=argparse.REMAINDER, help="the program's own arguments"
    )


def _add_call(command: OneLineParser) -> None:
    command.add_argument("target", metavar="FILE.py:FUNCTION", help=_TARGET)
    command.add_argument("arguments", metavar="ARG", nargs="*", help=_ARGUMENTS)
