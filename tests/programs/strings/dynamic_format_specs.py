"""Widths, fills and precisions that only the run knows, of Python's own values and the run's."""

STAGES = ("cond",)
CASES = [(1,), (4,), (6,)]


def dynamic_format_specs(width):
    name, wide = "bob", 3
    if width > 3:
        name = "alice"
        wide = width + 4
    table = f"{'name':>{wide}}|{name!r:<{wide}}|{3.14159:{wide}.{width - 1}f}"
    marks = f"{True!s:*^{wide}}|{7:0{wide}d}|{[1, 2]!r:>{wide}}|{width:>{wide}}"
    return table, marks, "{:>{}}|{x:{w}}".format("end", wide, x="ab", w=wide)
