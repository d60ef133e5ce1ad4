"""An attribute that the class gives where a path does not assign it cannot be listed."""

REFUSED = "StagingError"
CASES = [(3,), (-3,)]


class Page:
    hits = 0


def listed_where_a_class_has_it(x):
    page = Page()
    if x > 0:
        page.hits += 1
    return len(vars(page))
