"""`break` leaves a `for` loop; the elements after it are not looked at."""

STAGES = ("while_loop",)
CASES = [([1, 2, -3, 4],), ([5, 6],), ([-1],), ([],)]


def break_in_for(xs):
    total = 0
    for v in xs:
        if v < 0:
            break
        total += v
    return total
