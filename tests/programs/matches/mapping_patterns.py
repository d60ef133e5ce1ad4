"""Keys are Python's, the values under them tensors; `**rest` is a dictionary of the other keys."""

STAGES = ("cond",)
ALWAYS = {'case {"missing": _}:': "no such key is there"}
CASES = [(0, 5), (1, 5), (2, 5), (2, 1)]


def mapping_patterns(kind, size):
    match {"kind": kind, "size": size, "depth": size + 1}:
        case {"missing": _}:
            return -1
        case {"kind": 0, **rest}:
            total = 0
            for value in rest.values():
                total += value
            return total
        case {"kind": 1, "size": n}:
            return n * 10
        case {"size": n, "depth": depth} if n > 3:
            return n + depth
    return -2
