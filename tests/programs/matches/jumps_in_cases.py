"""`continue`, `break` and `return` in the cases of a `match` in a loop over a tensor."""

STAGES = ("cond", "while_loop")
CASES = [([1, 0, 2],), ([1, 9, 5],), ([7, 1, 1],), ([0, 9, 7],), ([8, 8, 1],), ([],)]


def jumps_in_cases(xs):
    total = 0
    for v in xs:
        match v:
            case 0:
                continue
            case 9:
                break
            case 7:
                return -total
            case 8 if total > 5:
                return 88
            case _:
                total += v
    else:
        total += 1000
    return total
