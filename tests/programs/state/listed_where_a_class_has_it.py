"""An attribute that the class gives where no path has assigned it, and the object's attributes."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Page:
    hits = 0


def listed_where_a_class_has_it(x):
    page = Page()
    if x > 0:
        page.hits += 1
    Page.hits = x
    seen = page.hits, len(vars(page)), hasattr(page, "hits")
    Page.hits = 0
    return seen
