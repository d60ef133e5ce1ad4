"""A loop that is left, and goes on, from inside of a `try` with `finally` in another one."""

STAGES = ("while_loop", "try_except", "cond")
CASES = [([1, 0, 2, 60, 5], 50), ([0, 3], 50), ([], 50), ([9], 5)]


def loop_left_from_a_try(xs, limit):
    total = i = 0
    while True:
        try:
            try:
                if xs[i] > limit:
                    break
                total += 10 // xs[i]
            except ZeroDivisionError:
                total += 100
                continue
            finally:
                i += 1
        except IndexError:
            break
    return total, i
