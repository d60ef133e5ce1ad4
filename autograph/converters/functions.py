"""Functions get a scope, which represents one call of the converted function.

def f(x):             def tf__f(x):
    return x    ->        with ag__.FunctionScope('f', 'fscope', ...) as fscope:
                              return x
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.frame_bound import is_frame_bound
from autograph.analysis.function_facts import FunctionFacts
from autograph.converters.base import Conversion, Converter, Tree, functions_in
from autograph.converters.node_builders import VOCABULARY, name, nonempty
from autograph.options import STANDARD, ConversionOptions
from autograph.syntax.names import parameter_nodes, walk_scope
from autograph.syntax.template import Template
from autograph.syntax.tree import parse_expression, split_docstring

_SCOPE = Template("""
    with ag__.FunctionScope($function, $variable_text, $options) as $variable:
        $body
""")
_LAMBDA = Template("$converted = lambda *$parameters: $body")
_LAMBDA_SCOPE = Template(
    "ag__.with_function_scope(lambda $variable: $body, $variable_text, $options)"
)
_DECLARATIONS = (gast.Global, gast.Nonlocal)


class Functions(Converter):
    """Bodies move into a function scope; the main function is renamed and loses its decorators.

    Before: `def f(x): return x`. After: see the top of this file. The scope of a generator or
    coroutine lasts until it ends or is closed.
    """

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        if isinstance(tree, gast.Lambda):
            return _scoped_lambda(tree, conversion)
        for function in functions_in(tree):
            if function is tree:
                options = _options_node(conversion.options)
            else:
                options = _call_options_node(conversion.options, function)
            _add_scope(function, options, conversion)
        return _renamed(tree, conversion)


def _renamed(tree: Any, conversion: Conversion) -> Tree:
    tree.name = conversion.namer.fresh(f"tf__{tree.name}")
    tree.decorator_list, tree.returns, tree.type_params = [], None, []
    for parameter in parameter_nodes(tree.args):
        parameter.annotation = None
    return tree


def _call_options_node(options: ConversionOptions, origin: Any) -> Any:
    inherited = options.call_options()
    if inherited == STANDARD:
        return gast.Attribute(name(VOCABULARY, origin), "STD", gast.Load())
    return _options_node(inherited)


def _options_node(options: ConversionOptions) -> Any:
    return parse_expression(f"{VOCABULARY}.{options!r}")


def _add_scope(function: Any, options: Any, conversion: Conversion) -> None:
    variable = conversion.namer.fresh("fscope")
    conversion.scopes.add(variable)
    docstring, rest = split_docstring(function.body)
    outside = [statement for statement in rest if isinstance(statement, _DECLARATIONS)]
    inside = [statement for statement in rest if not isinstance(statement, _DECLARATIONS)]
    scope = _SCOPE.statements(
        origin=function,
        function=gast.Constant(function.name, None),
        variable_text=gast.Constant(variable, None),
        variable=variable,
        options=options,
        body=nonempty(inside, function),
    )
    function.body = [*docstring, *outside, *scope]


def _scoped_lambda(tree: gast.Lambda, conversion: Conversion) -> Tree:
    body = tree.body
    if not any(is_frame_bound(node) for node in walk_scope(body)):
        variable = conversion.namer.fresh("lscope")
        conversion.scopes.add(variable)
        body = _LAMBDA_SCOPE.expression(
            origin=tree,
            variable=variable,
            variable_text=gast.Constant(variable, None),
            body=body,
            options=_options_node(conversion.options),
        )
    (assignment,) = _LAMBDA.statements(
        origin=tree, converted=conversion.namer.fresh("tf__lambda"), parameters=tree.args, body=body
    )
    return assignment
