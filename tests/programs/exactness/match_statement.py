"""`match` over values, sequences, mappings and classes, with guards and captures."""

PYTHON_ONLY = "patterns over Python structures"
CASES = [(0,), ([1, 2, 3],), ({"kind": "box", "size": 4},), ("other",), (-7,)]


def match_statement(x):
    match x:
        case 0:
            return "zero"
        case [first, *rest] if rest:
            return first, rest
        case {"kind": kind, **others}:
            result = kind, others
        case int(n) if n < 0:
            result = "negative"
        case str() | bytes() as text:
            result = text.upper()
        case _:
            result = None
    return result
