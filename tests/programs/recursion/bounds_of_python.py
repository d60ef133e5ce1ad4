"""The same search between Python numbers: which halves there are is known, so each is traced."""

STAGES = ("cond",)
CASES = [([1, 3, 4, 7, 9], 7), ([1, 3, 4, 7, 9], 5), ([1, 3, 4, 7, 9], 1)]


def bounds_of_python(values, wanted):
    return between(values, wanted, 0, len(values))


def between(values, wanted, low, high):
    if low >= high:
        return -1
    middle = (low + high) // 2
    if values[middle] == wanted:
        return middle
    if values[middle] < wanted:
        return between(values, wanted, middle + 1, high)
    return between(values, wanted, low, middle)
