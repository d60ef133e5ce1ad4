"""`[*it]` takes the rest of an iterator that a loop has left when a tensor said so."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3],), ([5],), ([0],)]
ALWAYS = {"for x in rows:": "there is a first one"}


def rest_of_an_iterator_in_a_list(xs):
    rows = iter(xs)
    for x in rows:
        if x > 1:
            break
    return [*rows, 7], [0, *range(xs[0])]
