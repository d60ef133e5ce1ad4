"""The commands: each function prints its result and returns the exit status."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from autograph.checking.case import Case
from autograph.checking.check import check as check_function
from autograph.cli.argument_values import Arguments, arguments_of, split_call
from autograph.cli.highlighting import (
    check_in_colours,
    explanation_in_colours,
    graph_in_colours,
    python_in_colours,
)
from autograph.cli.html_pages import call_page, code_page, explanation_page
from autograph.cli.listing import Stages, listing_of, passes_text
from autograph.cli.passes_page import passes_page
from autograph.cli.target import CommandTarget, load_target
from autograph.cli.terminal import Style, side_by_side
from autograph.conversion.convert import compiled_code, to_code
from autograph.conversion.convert import explain as explain_function
from autograph.conversion.wrappers import UnconvertedFunction, wrapped_by
from autograph.demo.tour import give_tour
from autograph.errors import CommandError, ExportError, SignatureError
from autograph.exporting.export import export as export_program
from autograph.functions.function import Function
from autograph.insight.explain_call import explain_call
from autograph.insight.profile import profile as profile_call
from runtime import summary
from runtime.errors import OpError, UnimplementedError
from runtime.export.graphdef.to_graphdef import graph_def
from runtime.graph.dot import graph_dot
from runtime.graph.graph import Graph
from runtime.graph.html_page import SourceText, graph_page
from runtime.nn.modules.module import Module


def code(options: Namespace) -> int:
    """Print the converted code of a function, or its compiled form."""
    target = load_target(options.target)
    if options.html is not None:
        _write(options.html, code_page(listing_of(target.python_function), target.text))
    elif options.side_by_side:
        rows = listing_of(target.python_function).rows()
        print("\n".join(side_by_side(rows, Style.of().columns)))
    else:
        text_of = compiled_code if options.compiled else to_code
        print(python_in_colours(text_of(target.python_function), Style.of()), end="")
    return 0


def graph(options: Namespace) -> int:
    """Print the graph of a call."""
    if options.passes and (options.dot or options.graphdef or options.tensorboard):
        raise CommandError("--passes takes no other form of output than --html")
    target, (args, kwargs) = _call(options, values=False)
    traced = target.function.get_concrete_function(*args, **kwargs).graph
    if options.passes and options.html is not None:
        _write(options.html, passes_page(traced, target.text))
    elif options.html is not None:
        listing = listing_of(target.python_function)
        source = SourceText(listing.source_text, listing.filename, listing.first_line)
        page = graph_page(traced, target.text, source, listing.code)
        _write(options.html, page)
    elif options.dot:
        print(graph_dot(traced), end="")
    elif options.graphdef:
        print(_graphdef_text(traced), end="")
    elif options.tensorboard is not None:
        _write_events(options.tensorboard, traced)
    elif options.passes:
        print("\n".join(passes_text(traced, Style.of())))
    else:
        print(graph_in_colours(traced.as_text(origins=True), Style.of()), end="")
    return 0


def _write_events(folder: str, traced: Graph) -> None:
    try:
        writer = summary.create_file_writer(folder)
    except OpError as error:
        raise CommandError(str(error)) from None
    with writer.as_default():
        summary.graph(traced)
    writer.close()


def _graphdef_text(traced: Graph) -> str:
    try:
        return str(graph_def(traced))
    except UnimplementedError as error:
        raise CommandError(str(error)) from None


def run(options: Namespace) -> int:
    """Call a function and print its result."""
    target, (args, kwargs) = _call(options)
    if options.eager:
        print(target.python_function(*args, **kwargs))
    elif options.trace:
        Stages(target.function, target.python_function).show(args, kwargs, Style.of())
    else:
        print(target.function(*args, **kwargs))
    return 0


def explain(options: Namespace) -> int:
    """Explain line by line the conversion of a function or, with arguments, one call of it."""
    if options.arguments:
        return _explain_call(options)
    target = load_target(options.target)
    explanation = explain_function(_function_to_explain(target))
    if options.html is not None:
        _write(options.html, explanation_page(explanation, target.text))
    else:
        print(explanation_in_colours(str(explanation), Style.of()))
    return 0


def _explain_call(options: Namespace) -> int:
    target, (args, kwargs) = _call(options, values=False)
    explanation = explain_call(target.function.untraced(), tuple(args), kwargs)
    if options.html is not None:
        listing = listing_of(target.python_function)
        _write(options.html, call_page(explanation, target.text, listing))
    else:
        print(explanation_in_colours(str(explanation), Style.of()))
    return 0 if not explanation.error else 1


def profile(options: Namespace) -> int:
    """Call a function as a graph and print the time of each line and node."""
    target, (args, kwargs) = _call(options)
    profiled = profile_call(target.function, *args, **kwargs)
    if options.chrome is not None:
        _write(options.chrome, json.dumps(profiled.chrome_trace()) + "\n")
    else:
        print(profiled)
    return 0


def export(options: Namespace) -> int:
    """Write a function to a file, and print the report."""
    try:
        exported = _exported(options)
        given = {} if options.opset is None else {"opset": options.opset}
        report = export_program(
            exported, options.output, options.format, strict=options.strict, **given
        )
    except (ExportError, SignatureError, OpError) as error:
        raise CommandError(str(error)) from None
    print(report)
    return 0


def _exported(options: Namespace) -> Any:
    """Return the object of the command line, or the trace of its function for the arguments."""
    target = load_target(options.target, lambda value: callable(value) or isinstance(value, Module))
    is_whole = isinstance(target.value, Module) or (
        isinstance(target.value, Function) and target.value.input_signature is not None
    )
    if is_whole and not options.arguments:
        return target.value
    target, (args, kwargs) = _call(options, values=False)
    return target.function.get_concrete_function(*args, **kwargs)


def check(options: Namespace) -> int:
    """Run a function in every mode and print the differences; the status is 1 if there are any."""
    target = load_target(options.target)
    if bool(options.case) == bool(options.arguments):
        raise CommandError(
            "check takes the arguments of one call, `check model.py:f 75 10`, or of several, with "
            "commas: `check model.py:f --case 75,10 --case 3,4`"
        )
    cases = []
    for words in [options.arguments] if options.arguments else map(split_call, options.case):
        args, kwargs = arguments_of(words, target.value)
        cases.append(Case(tuple(args), kwargs))
    report = check_function(target.value, cases)
    print(check_in_colours(str(report), Style.of()))
    return 0 if report else 1


def demo(options: Namespace) -> int:
    """Show the tour; the status is 1 if a result differs from that of plain Python."""
    return 0 if give_tour(Style.of()) else 1


def _call(options: Namespace, *, values: bool = True) -> tuple[CommandTarget, Arguments]:
    """Return the function and the arguments, in which shapes become tensors if wanted."""
    target = load_target(options.target)
    library = _library_of(target.value)
    if library:
        raise CommandError(
            f"{options.target} is a function of {library}: call it from one of yours"
        )
    return target, arguments_of(options.arguments, target.value, values=values)


def _function_to_explain(target: CommandTarget) -> Any:
    """Return the function without decorators, except a decorator against conversion."""
    is_exempt = isinstance(wrapped_by(target.value), UnconvertedFunction)
    return target.value if is_exempt else target.python_function


def _library_of(function: Any) -> str | None:
    """Return `numpy` for a function of NumPy, which cannot take symbolic tensors."""
    module = getattr(function, "__module__", None) or type(function).__module__
    return "numpy" if module.partition(".")[0] == "numpy" else None


def _write(filename: str, text: str) -> None:
    try:
        Path(filename).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {filename!r}: {error.strerror}") from None
    print(f"wrote {filename}")
