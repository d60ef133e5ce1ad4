"""An item is put back into a dict on one path: it is last there, and first elsewhere."""

REFUSED = "StagingError"
CASES = [(3,), (0,)]


def item_put_last_on_one_path(n):
    d = {"a": 1, "b": 2}
    if n > 2:
        d["a"] = d.pop("a")
    copy = dict(d)
    return [key for key in copy]
