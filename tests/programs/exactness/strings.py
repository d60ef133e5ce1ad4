"""Formatted strings and a conditional in a replacement field."""

PYTHON_ONLY = "strings"
CASES = [("ann", 3), ("", 1)]


def strings(name, n):
    who = name or "nobody"
    line = f"{who!r:>8}|{n:03d}|{'many' if n > 1 else 'one'}"
    for _ in range(n):
        line += ".-"
    return line, line.count("."), who[::-1]
