"""A class defined inside a function, its body and its methods with control flow."""

PYTHON_ONLY = "a class body runs as Python"
CASES = [(3,), (-3,)]


def class_inside(x):
    class Local:
        kind = "plain"
        if x > 0:
            kind = "positive"

        def describe(self, n):
            for i in range(n):
                if i == 2:
                    return self.kind, i
            return self.kind, x

    return Local().describe(5), Local().describe(1)
