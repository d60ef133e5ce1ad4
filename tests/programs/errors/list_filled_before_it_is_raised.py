"""A list has more items whenever an exception may be raised, and its handler sees them."""

STAGES = ("try_except", "cond")
CASES = [(0,), (3,), (4,)]


def list_filled_before_it_is_raised(n):
    items = []
    try:
        items.append(n)
        if n > 2:
            raise ValueError(n)
    except ValueError:
        items.append(len(items))
        if n % 2:
            items.append(7)
    return items
