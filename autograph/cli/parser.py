"""The parser of the command line, with the help of each command."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile
from typing import Any, NoReturn, TypeAlias

from autograph.cli.highlighting import help_in_colours
from autograph.cli.terminal import Style
from autograph.errors import CommandError
from runtime.core.lazy_imports import lazy_import
from runtime.export.formats import FORMATS

_TARGET = (
    "a function of a file, model.py:step, or of a module on the path or in the current folder, "
    "package.model:step"
)
# The options that take a value.
_WITH_VALUE = (
    *("--case", "--chrome", "--executor", "--format", "--html", "--opset", "--output"),
    *("--tensorboard", "-o"),
)
_MOST_COLUMNS = 100
_INVALID_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)$")
did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")
_ARGUMENTS = (
    "a Python literal, of which numbers and lists become tensors; a .npy file; or a shape with a "
    "dtype, f32[3,4] or i64[]; name=value names an argument"
)
_SPECS = (
    "A shape, f32[?,4] with a size that is not known, stands for any tensor of that shape; shells "
    "need it in quotes."
)
_VALUES = (
    "A shape, f32[3,4], stands for a tensor of random numbers, the same each time: floats between "
    "0 and 1, integers from 0 to 9, empty texts. Shells need it in quotes."
)
_EXAMPLES = {
    "": (
        "run model.py:step 3",
        "graph model.py:mean 'f32[?,4]'",
        "run --help",
    ),
    "code": (
        "code model.py:step",
        "code --side-by-side package.model:step",
        "code --html page.html model.py:step",
    ),
    "graph": (
        "graph model.py:step 3",
        "graph model.py:mean 'f32[?,4]'",
        "graph --passes package.model:step 'i32[]'",
        "graph --passes --html page.html model.py:step 3",
    ),
    "run": (
        "run model.py:step 3",
        "run model.py:mean 'f32[3,4]'",
        "run --trace package.model:step n=-3",
    ),
    "explain": (
        "explain model.py:step",
        "explain package.model:mean 'f32[?,4]'",
        "explain --html page.html model.py:step 3",
    ),
    "profile": (
        "profile model.py:mean 'f32[1000,4]'",
        "profile --chrome trace.json package.model:step 3",
    ),
    "check": (
        "check model.py:step 3",
        "check model.py:step --case 3 --case -3",
        "check package.model:mean --case 'f32[3,4]' --case '[[1.5]]'",
    ),
    "export": (
        "export model.py:step 'i32[]' -o saved",
        "export --format onnx package.model:mean 'f32[?,4]' -o mean.onnx",
    ),
    "port": ("port program.py", "port --write program.py"),
    "launch": ("launch -n 2 train.py --fast", "launch -n 4 -m package.train"),
    "demo": ("demo",),
}
_COLOURS = (
    "Colours are written to terminals, never to pipes and files; the environment variable NO_COLOR "
    "switches them off, FORCE_COLOR on."
)


def options_first(words: Sequence[str]) -> list[str]:
    """Move options before the arguments: `argparse` allows no arguments on both sides of options.

    >>> options_first(["run", "f.py:f", "--trace", "3"])
    ['run', '--trace', 'f.py:f', '3']
    >>> options_first(["launch", "-n", "2", "train.py", "--fast"])
    ['launch', '-n', '2', 'train.py', '--fast']
    """
    # The arguments after a program that is launched are its own; a last option lacks its value.
    if words[:1] == ["launch"] or words[-1:] and words[-1] in _WITH_VALUE:
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

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments after the name of the program or of a command.

        Raises:
            CommandError: an option is unknown, or an argument is missing or wrong.
        """
        words = list(args or ())
        if not any(action.nargs == argparse.REMAINDER for action in self._actions):
            is_before_command = self._subparsers is not None
            self._check_options(takewhile(_is_option, words) if is_before_command else words)
        return super().parse_known_args(words, namespace)

    def format_help(self) -> str:
        """Return the help, with headings on a terminal."""
        return help_in_colours(super().format_help(), Style.of())

    def error(self, message: str) -> NoReturn:
        """Raise CommandError with a message of one line, and the nearest valid choice if any."""
        found = _INVALID_CHOICE.search(message)
        if found is not None:
            instead = did_you_mean(found[1], re.findall(r"[\w-]+", found[2]))
            message = f"{message}{instead}"
        raise CommandError(f"{message} (see {self.prog} --help)")

    def _check_options(self, words: Iterable[str]) -> None:
        """Name the first unknown option: `argparse` would first complain of missing arguments."""
        known = self._option_string_actions
        for word in takewhile(lambda each: each != "--", words):
            name = word.partition("=")[0]
            if _is_option(word) and not any(each.startswith(name) for each in known):
                self.error(f"there is no option {name!r}{did_you_mean(name, known)}")


def _is_option(word: str) -> bool:
    return word.startswith("--")


def make_parser(version: str) -> argparse.ArgumentParser:
    """Return the parser; the name of the command is in its result's `command`."""
    parser = OneLineParser(
        prog="autograph",
        description="Show how Python functions become graphs, and run them.",
        epilog=f"{_examples('')}\n\n{_filled(_COLOURS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
    _add_command(commands, "demo", "a guided tour of five small programs")
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[OneLineParser]"


def _add_command(commands: Commands, name: str, about: str, shapes: str = "") -> OneLineParser:
    """Add a command, whose help ends with examples.

    Args:
        shapes: what shapes among its arguments stand for.
    """
    return commands.add_parser(
        name,
        help=about,
        description=f"{_filled(f'{about[0].upper()}{about[1:]}.')}",
        epilog="\n\n".join([*([_filled(shapes)] if shapes else []), _examples(name)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _examples(name: str) -> str:
    return "\n".join(["examples:", *(f"  autograph {each}" for each in _EXAMPLES[name])])


def _filled(text: str) -> str:
    return textwrap.fill(text, min(shutil.get_terminal_size().columns, _MOST_COLUMNS) - 2)


def _add_code(commands: Commands) -> None:
    code = _add_command(commands, "code", "print the converted code of a function")
    code.add_argument("target", metavar="FILE.py:FUNCTION", help=_TARGET)
    form = code.add_mutually_exclusive_group()
    form.add_argument("--side-by-side", action="store_true", help="source and converted code")
    form.add_argument("--compiled", action="store_true", help="the form that Python compiles")
    form.add_argument("--html", metavar="OUT.html", help="write both as one page, lines linked")


def _add_graph(commands: Commands) -> None:
    graph = _add_command(commands, "graph", "print the graph of a call", _SPECS)
    _add_call(graph)
    form = graph.add_mutually_exclusive_group()
    form.add_argument("--dot", action="store_true", help="as Graphviz text")
    form.add_argument("--graphdef", action="store_true", help="as TensorFlow's GraphDef, as text")
    form.add_argument("--html", metavar="OUT.html", help="write a page with a picture")
    form.add_argument("--tensorboard", metavar="DIR", help="write an event file for TensorBoard")
    graph.add_argument(
        "--passes",
        action="store_true",
        help="before the passes, and after each that changes it; with --html as a page",
    )


def _add_run(commands: Commands) -> None:
    run = _add_command(commands, "run", "call a function as a graph", _VALUES)
    _add_call(run)
    mode = run.add_mutually_exclusive_group()
    mode.add_argument(
        "--trace",
        action="store_true",
        help="show every form on the way: source, converted code, compiled code, graph, "
        "optimized graph, the function that runs, the result",
    )
    mode.add_argument("--eager", action="store_true", help="run the Python function instead")
    _add_executor(run)


def _add_explain(commands: Commands) -> None:
    explain = _add_command(
        commands,
        "explain",
        "say line by line what is converted, what stays Python, and why; with arguments, what "
        "becomes of the call",
        _SPECS,
    )
    _add_call(explain)
    explain.add_argument("--html", metavar="OUT.html", help="write it as a page")
    _add_executor(explain)


def _add_profile(commands: Commands) -> None:
    profile = _add_command(
        commands,
        "profile",
        "call a function as a graph and say what each line and node took",
        _VALUES,
    )
    _add_call(profile)
    profile.add_argument(
        "--chrome", metavar="OUT.json", help="write a trace for Perfetto or about:tracing"
    )


def _add_check(commands: Commands) -> None:
    check = _add_command(
        commands,
        "check",
        "run a function plain, converted and as a graph, and print the differences",
        _VALUES,
    )
    _add_call(check)
    check.add_argument(
        "--case",
        metavar="ARGS",
        action="append",
        default=[],
        help="in place of ARG: the arguments of one call, with commas between; may be given again",
    )
    _add_executor(check)


def _add_export(commands: Commands) -> None:
    export = _add_command(
        commands, "export", "write a function to a file that other programs run", _SPECS
    )
    _add_call(export)
    export.add_argument(
        "--format",
        choices=sorted(FORMATS),
        help="the form of the file; by default the one that its name ends in, else saved_model",
    )
    export.add_argument(
        "-o", "--output", metavar="PATH", required=True, help="the file, or the folder"
    )
    export.add_argument("--strict", action="store_true", help="refuse what the format cannot have")
    export.add_argument(
        "--opset", type=int, metavar="N", help="the version of ONNX's operators, from 18; else 21"
    )


def _add_port(commands: Commands) -> None:
    port = _add_command(
        commands,
        "port",
        "print the imports of a TensorFlow program that change, and the names it uses that are not "
        "here",
    )
    port.add_argument("file", metavar="FILE.py", help="a program that imports TensorFlow or Keras")
    port.add_argument("--write", action="store_true", help="change the imports in the file")


def _add_launch(commands: Commands) -> None:
    launch = _add_command(
        commands, "launch", "run a program as several processes on this machine, each with a rank"
    )
    launch.add_argument("-n", type=int, required=True, help="the number of processes")
    launch.add_argument("-m", dest="module", action="store_true", help="the program is a module")
    launch.add_argument("program", metavar="PROGRAM.py", help="the program")
    launch.add_argument(
        "arguments", metavar="ARG", nargs=argparse.REMAINDER, help="the program's own arguments"
    )


def _add_call(command: OneLineParser) -> None:
    command.add_argument("target", metavar="FILE.py:FUNCTION", help=_TARGET)
    command.add_argument("arguments", metavar="ARG", nargs="*", default=[], help=_ARGUMENTS)


def _add_executor(command: OneLineParser) -> None:
    command.add_argument(
        "--executor",
        metavar="NAME",
        help="the executor of functions that name none, such as jax; else AUTOGRAPH_EXECUTOR",
    )
