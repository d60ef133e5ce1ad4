"""A key that only one path makes: whether it is there is asked with `in`, `get` and `len`."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def key_of_one_path(x):
    table = {"sum": 0}
    if x > 0:
        table["last"] = x
    if "last" in table:
        table["sum"] = table["last"] * 2
    return table["sum"], len(table), table.get("last", -1)
