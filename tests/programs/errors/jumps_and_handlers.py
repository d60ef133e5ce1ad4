"""`continue`, `break` and `return` out of the body, a handler and the `else` of a `try`."""

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 3], 2), ([5, -1, 4], 2), ([1, 8, 1], 2), ([1, 0, 3], 2), ([], 2), ([1], 2)]


def jumps_and_handlers(xs, limit):
    total = 0
    for v in xs:
        try:
            if v < 0:
                break
            if v == 0:
                raise KeyError(v)
            if v > 3 * limit:
                raise ValueError(v)
            if v > limit:
                continue
        except KeyError:
            return -1
        except ValueError:
            total += 100
            continue
        else:
            total += v
        total += 10
    return total
