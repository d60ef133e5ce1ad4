"""Python iterates over its items; a tensor decides which of them are taken."""

STAGES = ("cond",)
CASES = [(0,), (4,), (9,)]


def python_items_tensor_test(least):
    kept = [k * least for k in (1, 5, 7) if k > least if k != 5]
    names = {name: least + len(name) for name in ("a", "bcd")}
    return kept, names
