# ruff: noqa: C408, F507, UP031, UP032  `%` and `str.format` are what is tested.
"""Staged formatting of tensors agrees with eager formatting."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import pytest

import autograph as ag
import runtime as rt

INPUTS = {
    "n": rt.constant(3),
    "x": rt.constant(2.5),
    "v": rt.constant([1, 2]),
    "s": rt.constant("hé"),
}


class Point:
    def __init__(self, at):
        self.at = at

    def __str__(self):
        return f"<{self.at}>"


@dataclass
class Field:
    value: object


class Named:
    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Named {self.value}"


TEXTS = {
    "f-string": lambda n, x, v, s: f"{n} and {x:.2f} {v} {s}",
    "conversion": lambda n, x, v, s: f"{n!r:>60}|{n!s}|{n!a}",
    "nested specification": lambda n, x, v, s: f"{x:>{8}.1f}|{n:{4}d}|{x:{int(n) + 4}.1f}",
    "nothing staged": lambda n, x, v, s: f"{'a'}{1 + 1}{{}}{n.shape}",
    "containers": lambda n, x, v, s: f"{[n, 1]} {(x,)} {dict(a=n)}",
    "inner text": lambda n, x, v, s: f"{f'{n}'!r} {f'{int(n)}':>5}",
    "numbers of Python's": lambda n, x, v, s: f"{int(n)} {float(x)} {len(v)} {bool(n)} {round(x)}",
    "an object's own text": lambda n, x, v, s: f"{Point(n)} {str(Point(x))}" + "%s" % Point(v),
    "percent": lambda n, x, v, s: "%d of %5.1f %s%% %r" % (n, x, s, n),
    "percent of one": lambda n, x, v, s: "%03d" % n,
    "percent of names": lambda n, x, v, s: "%(a)s|%(b)4.1f" % {"a": n, "b": x},
    "percent in a variable": lambda n, x, v, s: (lambda form: form % n)("<%d>"),
    "format": lambda n, x, v, s: "{0} {a:.3f} {0.shape} {1[0]} {0!r}".format(n, v, a=x),
    "builtins": lambda n, x, v, s: str(n) + " " + repr(x) + format(x, ".1f") + str(str(n)),
    "join": lambda n, x, v, s: ", ".join([f"{n:d}", "b", str(int(n))]),
    "join of a generator": lambda n, x, v, s: "-".join(f"{k}{n:d}" for k in range(3)),
    "methods": lambda n, x, v, s: f"{n:d}abc".upper().replace("B", "-").rjust(9, "."),
    "added": lambda n, x, v, s: "a" + f"{n:d}" + "b" + str(int(n)),
}

VALUES = {
    "length": lambda n, x, v, s: len(f"{n:d}é"),
    "equal": lambda n, x, v, s: f"{n:d}" == "3",
    "decides": lambda n, x, v, s: 1 if f"{n:d}" == "4" else 2,
    "in": lambda n, x, v, s: "3" in f"a{n:d}",
    "found": lambda n, x, v, s: f"a{n:d}".find("3") + f"{n}".count("z"),
    "is a string": lambda n, x, v, s: isinstance(f"{n}", str),
}


@pytest.mark.parametrize("name", TEXTS)
def test_formatting_tensors_agrees_with_eager_tensors(name):
    assert TEXTS[name](**INPUTS).encode() == ag.function(TEXTS[name])(**INPUTS).numpy()


@pytest.mark.parametrize("name", VALUES)
def test_staged_text_is_used_as_a_string(name):
    assert VALUES[name](**INPUTS) == ag.function(VALUES[name])(**INPUTS).numpy()


@pytest.mark.parametrize(
    "function, error",
    [
        (lambda n: "%d %d" % n, TypeError),
        (lambda n: "%d" % (n, n), TypeError),
        (lambda n: f"{n:q}", ValueError),
        (lambda n: ",".join([f"{n}", 1]), TypeError),
        (lambda n: f"{n}".split(","), AttributeError),
    ],
)
def test_unformattable_values_raise(function, error):
    with pytest.raises(error):
        ag.function(function)(INPUTS["n"])


def test_text_printed_while_tracing(capsys):
    @ag.function
    def f(x):
        print(f"tracing {x}", x, Point(x))
        return x

    f(INPUTS["n"])
    shown = 'Tensor("x:0", shape=(), dtype=int32)'
    assert f"tracing {shown} {shown} <{shown}>\n" == capsys.readouterr().out


def test_shapes_printed_while_tracing_are_static_shapes(capsys):
    @ag.function(input_signature=[rt.TensorSpec([None, 3], rt.float32)])
    def f(x):
        print(x.shape, [x.shape], x.shape[:1], f"of {x.shape}", str(x.shape[1:]))
        return f"of {x.shape}"

    assert f(rt.ones((2, 3))) == "of (2, 3)"
    assert (
        capsys.readouterr().out == "(None, 3) [TensorShape([None, 3])] (None,) of (None, 3) (3,)\n"
    )


def test_shapes_printed_by_the_graph_are_those_of_the_run(capsys):
    @ag.function(input_signature=[rt.TensorSpec([None, 3], rt.float32)])
    def f(x):
        rt.print("run", x.shape, {"k": x.shape[:1]})
        return x

    for function in (f, f.python_function):
        function(rt.ones((2, 3)))
        assert capsys.readouterr().err == "run TensorShape([2, 3]) {'k': TensorShape([2])}\n"


SHAPES = {
    "f-string": lambda x: f"{x.shape} {x.shape!r:>26}|{Field(x.shape)}|{Point(x.shape)}",
    "format": lambda x: "{} {0.shape} {1[0]} {1!r}".replace("{}", "{1}").format(x, x.shape),
    "percent": lambda x: "%s %r %s" % (x.shape, [x.shape], Point(x.shape[1:])),
    "builtins": lambda x: " ".join([str(x.shape), repr([x.shape]), ascii(x.shape[:1])]),
    "no shapes": lambda x: f"{x.dtype} {x.dtype!r} {x.shape.rank} {x.dtype.name:>9}",
}


@pytest.mark.parametrize("name", SHAPES)
def test_formatted_shapes_have_the_sizes_of_the_run(name):
    signature = [rt.TensorSpec([3, None], rt.float32)]
    staged, x = ag.function(SHAPES[name], input_signature=signature), rt.ones((3, 2))
    assert SHAPES[name](x) == staged(x)


def test_unconverted_code_formats_static_shapes(caplog):
    @ag.function(input_signature=[rt.TensorSpec([3, None], rt.float32)])
    def f(x):
        for value in (x.shape, [x.shape], Point(x.shape), Field(Named(x.shape)), f"{x.shape}"):
            logging.warning("%s", value)
        logging.warning("%s %s %r", x.dtype, x.name, Named(x))
        logging.warning("{}".format(x.shape))
        return x

    f(rt.ones((3, 2)))
    assert [record.getMessage() for record in caplog.records] == [
        "(3, None)",
        "[TensorShape([3, None])]",
        "<(3, None)>",
        "Field(value=Named (3, None))",
        "(3, None)",
        "<dtype: 'float32'> x:0 Named Tensor(\"x:0\", shape=(3, None), dtype=float32)",
        "(3, None)",
    ]


def test_a_shape_prints_the_same_after_its_trace():
    shapes = []

    @ag.function(input_signature=[rt.TensorSpec([3, None], rt.float32)])
    def f(x):
        shapes.append(x.shape)
        if rt.reduce_sum(x) > 0:
            raise ValueError("odd", x.shape)
        return x

    with pytest.raises(ValueError, match=r"\('odd', TensorShape\("):
        f(rt.ones((3, 2)))
    assert "(3, None) TensorShape([3, None])" == f"{shapes[0]} {shapes[0]!r}"


def test_print_is_staged_with_the_feature(capsys):
    def f(x):
        print("x is", int(x), f"{x:03d}", Point(int(x)), Field(int(x)), sep="; ", end="!\n")
        print("no tensor")
        return x

    staged = ag.function(f, experimental_autograph_options=ag.Feature.BUILTIN_FUNCTIONS)
    staged(rt.constant(3))
    assert "no tensor\nx is; 3; 003; <3>; Field(value=3)!\n" == capsys.readouterr().out
    staged(rt.constant(4))
    assert "x is; 4; 004; <4>; Field(value=4)!\n" == capsys.readouterr().out


def test_an_unknown_feature_is_refused():
    with pytest.raises(ag.errors.ConversionError, match="'PRINT' is not an ag.Feature"):
        ag.function(lambda x: x, experimental_autograph_options="PRINT".split())
    for wrong in ("PRINT", 3):
        with pytest.raises(ag.errors.ConversionError, match=f"{wrong!r} is not an ag.Feature"):
            ag.function(lambda x: x, experimental_autograph_options=wrong)


def test_features_are_printed_with_the_options():
    code = ag.to_code(lambda x: x, experimental_optional_features=ag.Feature.LISTS)
    assert "optional_features=('LISTS',)" in code


def test_the_message_of_an_exception_is_that_of_the_run():
    @ag.function
    def f(x):
        if x > 3:
            raise KeyError(f"{int(x)} is too much", "%d" % x)
        return x

    assert 3 == f(rt.constant(3)).numpy()
    with pytest.raises(KeyError) as raised:
        f(rt.constant(7))
    assert ("7 is too much", "7") == raised.value.args
