"""A function that calls itself counts its calls; the handler around it finds all of them."""

STAGES = ("recursion", "try_except", "cond")
CASES = [(1,), (2,), (5,), (9,)]


class TooDeep(Exception):
    pass


def visits_until_it_fails(n):
    visits = 0

    def walk(k):
        nonlocal visits
        visits += 1
        if k > 6:
            raise TooDeep(k)
        if k == 5:
            return k
        return walk(k + 2) + visits

    try:
        found = walk(n)
    except TooDeep as error:
        found = -error.args[0]
    return found, visits
