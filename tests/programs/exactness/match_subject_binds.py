"""The subject of a `match` may bind a name, which the cases change and delete."""

PYTHON_ONLY = "deletes variables"
CASES = [([1, 2],), ([],), ([7],)]


def match_subject_binds(xs):
    match count := len(xs):
        case 2 | 1:
            if xs[0] == 1:
                count += 10
            else:
                del count
        case _:
            count -= 1
    return count
