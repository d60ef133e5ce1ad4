"""An annotation without a value evaluates the parts of its target, and declares plain names."""

PYTHON_ONLY = "it is about names and evaluation"
CASES = [(3,), (0,)]


def bare_annotation(x):
    seen = []

    def note(value):
        seen.append(value)
        return seen

    if x:
        note(1)[note(2)]: int
        note(3)[note(4) : note(5), note(6)]: int
        note(7).attribute: note(8)
    (unknown): int
    try:
        unknown
    except NameError as error:
        return len(seen), type(error).__name__
