"""A search in a sorted tensor between two bounds that move towards each other."""

STAGES = ("cond", "recursion")
CASES = [([1, 3, 4, 7, 9], 7, 0, 5), ([1, 3, 4, 7, 9], 5, 0, 5), ([1, 3, 4, 7, 9], 9, 2, 2)]


def binary_search(values, wanted, low, high):
    if low >= high:
        return -1
    middle = (low + high) // 2
    if values[middle] == wanted:
        return middle
    if values[middle] < wanted:
        return binary_search(values, wanted, middle + 1, high)
    return binary_search(values, wanted, low, middle)
