"""`o.w += 1` where one path has made the attribute raises on the other, as in Python."""

STAGES = ("cond",)
CASES = [(3,), (0,)]


class Record:
    pass


def added_to_an_attribute_of_one_path(n):
    record = Record()
    if n > 0:
        record.weight = n
    record.weight += 1
    return record.weight
