"""A key that one path deletes, another pops and a default stands in for."""

STAGES = ("cond",)
CASES = [(3,), (0,), (-3,)]


def key_deleted_on_one_path(x):
    table = {"a": 1, "b": x}
    popped = 0
    if x > 0:
        del table["a"]
    elif x < 0:
        popped = table.pop("b")
    return len(table), popped, table.pop("a", 7), table.setdefault("b", 9), "a" in table
