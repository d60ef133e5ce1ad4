"""Python expressions for numbers, with their operator precedence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

# Precedence levels, loosest first. Operators of one level are left-associative in Python.
CHOICE, OR, AND, NOT, COMPARISON = 1, 2, 3, 4, 5
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, SIGN, POWER = 6, 7, 8, 9, 10, 11, 12, 13
CALL, ATOM = 14, 15
_NAME = re.compile(r"\b[^\W\d]\w*")


@dataclass(eq=False)
class Expression:
    """Text of a Python expression.

    Attributes:
        text: the expression.
        binds: the precedence; the text needs no parentheses inside of an expression of lower
            precedence.
        check: a statement about `{name}` that runs after the value is assigned to it, and may
            assign it again; None if no check is needed.
        fails: whether computing the expression or its check may raise.
        quick: a faster expression, to be used unless the value is assigned to one of its `reads`;
            then its own `quick` is tried; see `assigned_to`.
        reads: the variables that the check reads again.

    Example:
        >>> Expression("x + 1", SUM).inside(PRODUCT)
        '(x + 1)'
    """

    NOT: ClassVar[int] = NOT

    text: str
    binds: int = ATOM
    check: str | None = None
    fails: bool = False
    quick: Expression | None = field(default=None, repr=False)
    reads: frozenset[str] = field(default=frozenset(), repr=False)

    def assigned_to(self, name: str) -> tuple[str, ...]:
        """Return the statements that assign the value to a variable, including the check.

        >>> Expression("x + 1", SUM, "if {name} > 9: {name} = 9").assigned_to("y")
        ('y = x + 1', 'if y > 9: y = 9')
        """
        used, quick = self, self.quick
        while quick is not None:
            if name not in quick.reads:
                used = quick
                break
            quick = quick.quick
        first = f"{name} = {used.text}"
        return (first,) if used.check is None else (first, used.check.format(name=name))

    def inside(self, level: int) -> str:
        """Return the text, in parentheses unless it binds at least as tightly as `level`."""
        return self.text if self.binds >= level else f"({self.text})"

    @staticmethod
    def of_name(name: str) -> Expression:
        """Return the expression of a variable, or of any other atom."""
        return Expression(name)

    @property
    def is_cheap(self) -> bool:
        """True if the text may be repeated: a name or a literal."""
        return self.text.isidentifier() or _is_number(self.text)

    @property
    def names(self) -> frozenset[str]:
        """The names in the text: of variables and of functions.

        >>> sorted(Expression("x + f(2 * y)").names)
        ['f', 'x', 'y']
        """
        return frozenset(_NAME.findall(self.text))


def binary(left: Expression, symbol: str, right: Expression, level: int) -> Expression:
    """Return `left symbol right`; a left operand of the same level needs no parentheses.

    >>> x, y, z = map(Expression.of_name, "xyz")
    >>> binary(z, "-", binary(x, "-", y, SUM), SUM).text
    'z - (x - y)'
    """
    first = left.inside(level + 1 if level == COMPARISON else level)
    text = f"{first} {symbol} {right.inside(level + 1)}"
    return Expression(text, level, fails=left.fails or right.fails)


def called(function: str, *operands: Expression, fails: bool = False) -> Expression:
    """Return a call.

    >>> called("f", Expression.of_name("x"), Expression.of_name("y")).text
    'f(x, y)'
    """
    text = f"{function}({', '.join(each.text for each in operands)})"
    return Expression(text, CALL, fails=fails or any(each.fails for each in operands))


def chosen(test: Expression, then: Expression, otherwise: Expression) -> Expression:
    """Return `then if test else otherwise`.

    >>> chosen(*map(Expression.of_name, "pxy")).text
    'x if p else y'
    """
    first, middle = then.inside(CHOICE + 1), test.inside(CHOICE + 1)
    fails = test.fails or then.fails or otherwise.fails
    return Expression(f"{first} if {middle} else {otherwise.text}", CHOICE, fails=fails)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
