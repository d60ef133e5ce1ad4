"""`range`, `zip`, `map`, `enumerate` and a generator are the objects that Python makes of them."""

PYTHON_ONLY = "kinds of iterators"
CASES = [(4,), (0,)]


def objects_stay_lazy(n):
    log = []

    def seen(v):
        log.append(v)
        return v

    mapped = map(seen, range(n))
    pairs = zip(mapped, "ab")
    first = next(pairs, None)
    kinds = [type(v).__name__ for v in (range(n), pairs, mapped, enumerate("a"), reversed([1]))]
    rest = (seen(v) for v in range(10, 10 + n))
    for v in rest:
        if v > 10:
            break
    return first, kinds, log, range(n)[1:2], len(range(n)), list(pairs)
