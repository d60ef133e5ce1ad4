"""`buckets[x % 3].append(x)` changes the list that is in the list."""

STAGES = ("while_loop",)
CASES = [([4, 7, 9, 2],), ([],), ([4],)]


def bucket_by_remainder(xs):
    buckets = [[], [], []]
    for x in xs:
        buckets[x % 3].append(x)
    return buckets
