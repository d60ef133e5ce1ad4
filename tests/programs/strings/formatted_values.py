"""An f-string with tensors in it is text made when the graph runs; specifications count."""

STAGES = ()
CASES = [(3, 2.5), (-12, 0.125)]


def formatted_values(n, x):
    return f"{n:>4d}|{x:.2f}|{int(n)}|{n + 1:03d}"
