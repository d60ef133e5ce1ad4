"""Interim."""
from __future__ import annotations
from dataclasses import dataclass
import numpy as np

@dataclass(frozen=True)
class Expression:
    text: str
    binds: int = 18
    check: str | None = None
    fails: bool = False
    NOT = 4
    @staticmethod
    def of_name(text): return Expression(text)

BIN = {"add": ("+", 12), "subtract": ("-",12), "multiply": ("*",13), "less": ("<",6), "less_equal": ("<=",6), "greater": (">",6), "greater_equal": (">=",6), "equal": ("==",6), "not_equal": ("!=",6), "divide": ("/",13), "floormod": ("%",13), "floordiv": ("//",13)}
class Numbers:
    def __init__(self, graph): self.names = {"array": np.array, "int32": np.dtype("int32"), "float32": np.dtype("float32"), "bool_": np.dtype(bool), "int64": np.dtype("int64"), "float64": np.dtype("float64"), "as_float32": np.float32}
    def holds(self, t): return t.spec.shape.rank == 0 and t.dtype.name in ("int32","float32","bool","int64","float64")
    def has_expression(self, node): return node.op.name in BIN or node.op.name in ("logical_not","logical_and","logical_or","abs")
    def expression(self, node, ops):
        n = node.op.name
        if n in BIN:
            o, b = BIN[n]
            l = ops[0].text if ops[0].binds >= b + (b == 6) else f"({ops[0].text})"
            r = ops[1].text if ops[1].binds > b else f"({ops[1].text})"
            return Expression(f"{l} {o} {r}", b)
        if n == "logical_not": return Expression("not " + (ops[0].text if ops[0].binds > 4 else f"({ops[0].text})"), 4)
        if n == "abs": return Expression(f"abs({ops[0].text})")
        w = n[8:]
        b = 3 if w == "and" else 2
        return Expression(f" {w} ".join(o.text if o.binds > b else f"({o.text})" for o in ops), b)
    def constant(self, v): return Expression(f"as_float32({v})" if v.dtype.name == "float32" else repr(v.item()))
    def from_array(self, t, text): return f"{text}[()]" if t.dtype.name == "float32" else f"{text}.item()"
    def to_array(self, t, text): return f"array({text}, {'bool_' if t.dtype.name=='bool' else t.dtype.name})"
