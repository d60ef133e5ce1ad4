"""`vars`, `__dict__` and `locals` tell of the names that are there on the path that was taken."""

STAGES = ("cond", "try_except")
CASES = [(3,), (-3,)]


class Page:
    def __init__(self, size):
        self.size = size


def attributes_listed(x):
    page = Page(x)
    if x > 0:
        page.title = 1
        bound = 7
    known = "title" in vars(page), "title" in page.__dict__, len(page.__dict__), "bound" in locals()
    total = sum(vars(page).values())
    try:
        title = page.__dict__["title"]
    except KeyError:
        title = -1
    return known, total, title, locals().get("bound", 0)
