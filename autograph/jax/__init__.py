"""AutoGraph in programs of JAX: Python's control flow over traced values.

    @jax.jit
    @autograph.jax.convert
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

JAX is imported with the first call of a function of this package. The extra `jax` installs it.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from autograph.errors import ConversionError

if TYPE_CHECKING:
    from autograph.conversion.explanation import Explanation

__all__ = ["convert", "explain", "to_code"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def convert(
    fn: F,
    *,
    maximum_iterations: int | None = ...,
    recursive: bool = ...,
    include: Iterable[str] = ...,
) -> F: ...
@overload
def convert(
    fn: None = ...,
    *,
    maximum_iterations: int | None = ...,
    recursive: bool = ...,
    include: Iterable[str] = ...,
) -> Callable[[F], F]: ...
def convert(
    fn: Any = None,
    *,
    maximum_iterations: int | None = None,
    recursive: bool = True,
    include: Iterable[str] = (),
) -> Any:
    """Decorate a function whose `if`, `while`, `for`, `and`, ... may depend on traced values.

    It goes under `jax.jit`, `grad`, `vmap`, `shard_map` or any other transformation, or over it; a
    function given to `lax.scan` or `jax.vmap` in converted code is converted, too. Statements on
    values that Python knows stay Python's.

    Args:
        fn: the function when used without brackets.
        maximum_iterations: the most iterations of each loop whose number of iterations only a run
            knows, unless `autograph.set_loop_options` in the loop says another. The loop is then a
            `lax.scan`, which has a reverse gradient, and ends after as many iterations.
        recursive: whether the functions it calls are converted as well.
        include: names of modules and packages whose functions are converted when called.

    Raises:
        ConversionError: JAX is not installed, there is no function of yours in `fn`, or
            `maximum_iterations` is used over a transformation.

    Example:
        >>> import jax, autograph.jax
        >>> @jax.jit
        ... @autograph.jax.convert
        ... def halvings(x):
        ...     n = 0
        ...     while x > 1:
        ...         x, n = x / 2, n + 1
        ...     return n
        >>> int(halvings(20.0))
        5
    """
    made = _converter().convert(
        fn, maximum_iterations=maximum_iterations, recursive=recursive, include=include
    )
    return made


def to_code(fn: Callable[..., Any], recursive: bool = True) -> str:
    """Return the converted source of a function, of a converted one, or of one inside `jax.jit`.

    Raises:
        SourceError, ConversionError: as `autograph.to_code`; or JAX is not installed.

    Example:
        >>> import autograph.jax
        >>> def relu(x):
        ...     return x if x > 0 else 0.0 * x
        >>> "ag__.if_exp" in autograph.jax.to_code(relu)
        True
    """
    return _converter().to_code(fn, recursive)


def explain(fn: Callable[..., Any], include: Iterable[str] = ()) -> Explanation:
    """Explain line by line the parts of a function that are converted, or stay Python, and why.

    Args:
        fn: a function, a converted one, or one inside of `jax.jit`.
        include: as for `convert`.

    Raises:
        ConversionError: as `autograph.explain`; or JAX is not installed.

    Example:
        >>> import autograph.jax
        >>> def relu(x):
        ...     return x if x > 0 else 0.0 * x
        >>> "converted" in str(autograph.jax.explain(relu))
        True
    """
    return _converter().explain(fn, include)


def _converter() -> Any:
    if importlib.util.find_spec("jax") is None:
        raise ConversionError('JAX is not installed: pip install "autograph-py[jax]"')
    return importlib.import_module("autograph.jax.converter")
