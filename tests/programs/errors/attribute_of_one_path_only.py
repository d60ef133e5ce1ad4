"""An attribute that one path has made is looked for where Python looks for it."""

STAGES = ("cond", "try_except")
CASES = [(3, 1), (-1, 1), (-1, 0)]


class Record:
    pass


def attribute_of_one_path_only(n, is_tried):
    record, log = Record(), [0]
    if n > 0:
        record.weight = n
    if is_tried > 0:
        try:
            log[0] = 1
            weight = record.weight
            log[0] = 2
        except AttributeError:
            weight = -1
        try:
            del record.weight
        except AttributeError:
            log[0] += 10
        return weight, log
    unused = record.weight
    return 5, log
