"""Errors for a variable that two paths leave with values that cannot be joined."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograph.backends.graph.source.source_location import (
    assignment_in_loop,
    user_location,
    variable_of,
)
from autograph.backends.graph.values.value_spec import ITEMS, JoinError
from autograph.errors import BranchMismatch, LoopMismatch, StagingError

# The variable of generated code for a function's result: errors call it the return value.
RESULT = "retval_"

# The prefix of names for the values of expressions, which have no variable.
VALUE = "the value of "
# The prefix of names for the attributes of an exception that is caught at run time.
CAUGHT = "the caught exception: "

_OBJECTS = "objects other than tensors and numbers must stay the same object"
# A path that repeats itself: `.next.next.next`.
_REPEATED = re.compile(r"((?:\.\w+)+?)\1+")
# The beginning of a mismatch of two structures.
_DIFFER = "the structures differ: "
_ONE_CLASS = (
    "an object that a path makes is rebuilt from its attributes: "
    "make it of the same class on every path, with the same attributes"
)
_TOO_MANY = (
    "a graph chooses from no more: keep what they hold in lists or tensors, "
    "and pick by a number, as in values[i] and following[i]"
)

# The remedies of kinds of errors, in branches and loops.
_REMEDIES = {"class": _ONE_CLASS, "objects": _TOO_MANY}


def branch_mismatch(name: str, error: JoinError) -> StagingError:
    """Return the error for a variable whose values on two branches cannot be joined."""
    if ITEMS in error.path:
        return BranchMismatch(_unlike_items(name, error), user_location())
    what, first, second = _shown(name, error.path), error.first, error.second
    if error.kind == "dtype":
        return BranchMismatch(
            f"{what} has dtype {first} in the main branch, but dtype {second} in the else branch: "
            f"{_remedy(name, error, 'in both')}",
            user_location(),
        )
    if error.kind == "structure":
        return BranchMismatch(
            f"{what} must have the same nested structure on both paths: {first}; "
            f"give it {_ALIKE.get(second, _OF_ONE_KIND)} on both",
            user_location(),
        )
    same = _REMEDIES.get(error.kind, f"{_OBJECTS} in both")
    return BranchMismatch(
        f"{what} is {first} in the main branch and {second} in the else branch: {same}",
        user_location(),
    )


def attempt_mismatch(name: str, error: JoinError) -> StagingError:
    """Return the error for a variable whose values on two paths of a `try` cannot be joined."""
    what, first, second = _shown(name, error.path), error.first, error.second
    if error.kind == "structure":
        difference = f"must have the same nested structure: {first}"
    else:
        difference = f"is {first} on one and {second} on another"
    return BranchMismatch(
        f"on the paths through this `try`, to its end and through its handlers, {what} "
        f"{difference}; give it a value of the same kind on all of them",
        user_location(),
    )


def loop_mismatch(name: str, error: JoinError) -> StagingError:
    """Return the error for a variable that an iteration of a loop leaves with another spec."""
    if ITEMS in error.path:
        return LoopMismatch(_unlike_items(name, error), assignment_in_loop(name))
    what, first, second = _shown(name, error.path), error.first, error.second
    if error.kind == "dtype":
        return LoopMismatch(
            f"{what} has dtype {first} before the loop, but dtype {second} after one iteration: "
            f"{_remedy(name, error, 'before the loop')}",
            assignment_in_loop(name),
        )
    if error.kind == "structure":
        return LoopMismatch(
            f"{what} does not have the same nested structure after one iteration: {first}; "
            f"{_one_structure(name, error)}",
            assignment_in_loop(name),
        )
    if error.kind == "object" and first == second:
        return LoopMismatch(
            f"{_REPEATED.sub(_once, what)} is another {first.split(' ', 1)[-1]} "
            "after each iteration, which references the previous one: "
            "a staged loop carries no growing chain of objects; keep what they hold in a list, "
            "and in another the index of the next one, "
            "as in values.append(v); following.append(head); head = len(values) - 1",
            assignment_in_loop(name),
        )
    same = _REMEDIES.get(error.kind, f"{_OBJECTS} in a staged loop")
    return LoopMismatch(
        f"{what} is {first} before the loop, but {second} after one iteration: {same}",
        assignment_in_loop(name),
    )


def item_mismatch(items: object, error: JoinError) -> StagingError:
    """Return the error for a list, or dict, whose items have no common spec."""
    return BranchMismatch(_unlike_items(variable_of(items), error), user_location())


def _unlike_items(name: str | None, error: JoinError) -> str:
    path, _, inner = error.path.rpartition(ITEMS)
    whose = _shown(name, path) if name else "a list or dict"
    one, other = (error.first, error.second)
    if error.kind == "structure":
        one, _, other = error.first.removeprefix(_DIFFER).partition(" vs ")
    at = f" at {inner}" if inner else ""
    return (
        f"the items of {whose}, which only the graph counts or picks, must be of one kind, "
        f"and these are {one} and {other}{at}: let all have the same form, "
        "or keep them in two lists"
    )


# The difference between two containers of one kind, by that kind.
_ALIKE = {
    "tuple": "the same number of items",
    "list": "the same number of items",
    "dict": "the same keys",
}
_OF_ONE_KIND = "a value of the same kind"


def _one_structure(name: str, error: JoinError) -> str:
    """Return the advice for a loop that changes the structure of a variable."""
    if error.second == "tuple" and not (error.path or name.startswith((RESULT, VALUE))):
        return (
            "a staged loop cannot change how many items a tuple has: "
            f"make it a list before the loop, as in {name} = list({name}), "
            "which may grow with .append(value)"
        )
    alike = _ALIKE.get(error.second, _OF_ONE_KIND)
    return f"give it {alike} before the loop as each iteration leaves"


def _once(found: re.Match[str]) -> str:
    return found[1]


def endless_growth(names: Sequence[str]) -> StagingError:
    """Return the error for variables whose structure grows with each iteration."""
    shown = " and ".join(map(_shown, names))
    return LoopMismatch(
        f"{shown} becomes another structure on every iteration, as a tuple does that is put into "
        "a tuple, or a function that holds values of the iteration as defaults: the variables of "
        "a staged loop keep one structure; collect the numbers or tensors alone, in a list",
        user_location(),
    )


def _shown(name: str, path: str = "") -> str:
    """Return the user's name of a variable, or of the place in its value: `'pair[1]'`."""
    if name.startswith((VALUE, RESULT)):
        what = name if name.startswith(VALUE) else "the return value"
        return f"{what} at {path}" if path else what
    return f"'{name.removesuffix('[:]')}{path}'"


def _remedy(name: str, error: JoinError, where: str) -> str:
    if "string" in (error.first.split()[0], error.second.split()[0]):
        return "let both be strings, or both numbers"
    nameless = name.startswith((RESULT, VALUE))
    cast = f"rt.cast({'...' if nameless else name}, rt.{_wider(error)})"
    return f"give it one dtype {where}, for example with {cast}"


def _wider(error: JoinError) -> str:
    """Return the wider dtype of two paths."""
    found = [word for word in (error.first.split()[0], error.second.split()[0]) if word in _DTYPES]
    return max(found, key=_DTYPES.index, default="float32")


# From narrow to wide; each dtype can be cast to those after it.
_DTYPES = """
    bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64
    complex64 complex128
""".split()
