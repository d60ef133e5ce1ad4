"""The command line, `python -m autograph COMMAND`: `code`, `graph`, `run`, `launch` and others."""

from __future__ import annotations

import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import autograph
from autograph.cli.argument_values import protect_negative_numbers
from autograph.cli.parser import make_parser, options_first
from autograph.cli.terminal import Style
from autograph.errors import CommandError
from autograph.operators.tracebacks import drop_internal_frames
from runtime.core.lazy_imports import lazy_import
from runtime.errors import OpError

_EXECUTOR = "AUTOGRAPH_EXECUTOR"
checked_executor = lazy_import("runtime.executors.executor:checked_executor")
# A command imports its modules when it is called, so that a wrong argument is reported at once.
COMMANDS: dict[str, Callable[[Namespace], int]] = {
    "code": lazy_import("autograph.cli.commands:code"),
    "graph": lazy_import("autograph.cli.commands:graph"),
    "run": lazy_import("autograph.cli.commands:run"),
    "explain": lazy_import("autograph.cli.commands:explain"),
    "profile": lazy_import("autograph.cli.commands:profile"),
    "check": lazy_import("autograph.cli.commands:check"),
    "export": lazy_import("autograph.cli.commands:export"),
    "launch": lazy_import("autograph.cli.launch:launch"),
    "port": lazy_import("autograph.cli.porting:port"),
    "demo": lazy_import("autograph.cli.commands:demo"),
}


@contextmanager
def running_by(executor: str | None) -> Iterator[None]:
    """Run functions that name no executor by this one, in a `with` statement; None changes nothing.

    Raises:
        CommandError: there is no such executor, or it is not installed.

    >>> with running_by("interpreter"):
    ...     os.environ["AUTOGRAPH_EXECUTOR"]
    'interpreter'
    """
    before = os.environ.get(_EXECUTOR)
    try:
        if executor is not None:
            os.environ[_EXECUTOR] = checked_executor(executor)
    except OpError as error:
        raise CommandError(error.message) from None
    try:
        yield
    finally:
        os.environ.pop(_EXECUTOR, None)
        if before is not None:
            os.environ[_EXECUTOR] = before


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the arguments of the program; by default those of the process.

    Returns:
        The exit status: 1 if the user's code raised an exception, or a result of `check` or the
        demo differs; 2 if the command line is wrong; that of the first failed process of
        `launch`; otherwise 0.
    """
    words = sys.argv[1:] if argv is None else argv
    path = list(sys.path)
    try:
        options = make_parser(autograph.__version__).parse_args(
            options_first(words if words[:1] == ["launch"] else protect_negative_numbers(words))
        )
        with running_by(getattr(options, "executor", None)):
            return COMMANDS[options.command](options)
    except CommandError as error:
        prefix = Style.of(sys.stderr).paint("autograph:", "bad")
        print(f"{prefix} {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, such as `head`, closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        drop_internal_frames(error)
        traceback.print_exception(error)
        return 1
    finally:
        sys.path[:] = path


if __name__ == "__main__":
    sys.exit(main())
