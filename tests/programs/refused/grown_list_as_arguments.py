"""`f(*l)` of a list that grew: how many arguments there are would be known when the graph runs."""

REFUSED = "StagingError"
CASES = [(2,), (3,)]


def grown_list_as_arguments(n):
    items = []
    for i in range(n):
        items.append(i)
    return max(*items)
