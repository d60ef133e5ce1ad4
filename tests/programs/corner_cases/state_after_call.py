"""The state that a call keeps in an object, a cell and a global is there for the next call."""

PYTHON_ONLY = "state outside of the function"
CASES = [([3, 9, 4],), ([-1, -2],)]
kept = None


class Best:
    def step(self, x):
        if x > 0:
            self.best = x
        return getattr(self, "best", None)


def state_after_call(xs):
    global kept
    model, cell = Best(), 0

    def note(x):
        nonlocal cell
        if x > cell:
            cell = x
        return cell

    kept = None
    steps = []
    for x in xs:
        kept = model.step(x)
        steps.append((kept, note(x), kept is model.step(0)))
    return steps, kept, cell
