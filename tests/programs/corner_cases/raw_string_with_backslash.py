"""A raw string keeps its backslash and its line break; a plain one drops both."""

PYTHON_ONLY = "strings"
CASES = [(1,), (0,)]


def raw_string_with_backslash(x):
    raw = r"a\
b"
    plain = "a\
b"
    if x:
        raw += r"\n"
    return raw, plain, len(raw)
