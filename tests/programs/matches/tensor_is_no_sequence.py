"""To `match`, a tensor is like a number: neither a sequence, nor a mapping, nor None."""

STAGES = ()
ALWAYS = {
    "case [] | [_, *_]:": "a tensor is none",
    'case {"k": _} | {}:': "a tensor is none",
    "case None | str():": "a tensor is none",
}
CASES = [(3,), (-4,)]


def tensor_is_no_sequence(x):
    match x:
        case [] | [_, *_]:
            return 1
        case {"k": _} | {}:
            return 2
        case None | str():
            return 3
        case object() as other:
            return other + x
