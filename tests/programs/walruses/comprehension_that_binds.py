"""A walrus in a comprehension binds in the function, as often as elements are made."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("while_loop",)
CASES = [([1, 2, 3, 4],), ([4, 1, 1, 0],), ([0, 0, 0, 0],), ([1],), ([],)]


def comprehension_that_binds(xs):
    large = [doubled for v in xs if (doubled := v * 2) > 4]
    found = any((hit := v) > 2 for v in xs)
    return large, doubled, found, hit
