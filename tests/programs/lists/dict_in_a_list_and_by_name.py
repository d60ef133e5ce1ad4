"""A dict that may be None is changed by its name after it was changed as an item of a list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'records'"


def dict_in_a_list_and_by_name(n):
    records, record = [], None
    for i in range(n):
        record = {"x": i}
        records.append(record)
    records[-1]["x"] = 99
    record["x"] += 1
    return [each["x"] for each in records]
