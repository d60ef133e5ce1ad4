"""A key that a loop makes and goes on with."""

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


def key_made_in_loop(n):
    table = {"sum": 0}
    for i in range(n):
        table["last"] = i
        table["sum"] = table["sum"] + i
    return table.get("last", -1), table["sum"], "last" in table, len(table)
