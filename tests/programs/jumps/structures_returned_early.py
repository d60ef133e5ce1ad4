"""Dictionaries with tuples in them are returned from a loop, its `else` and after it."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("cond", "while_loop")
CASES = [([1, 3],), ([1, 2],), ([1, -2],), ([],), ([1],)]


def structures_returned_early(xs):
    for v in xs:
        if v == 3:
            break
        if v < 0:
            return {"a": v, "b": (v, 1)}
    else:
        return {"a": 0, "b": (7, 2)}
    return {"a": v, "b": (1, 3)}
