"""`super()` after its first parameter was deleted raises the error that Python raises."""

PYTHON_ONLY = "it raises, whatever it is given"
CASES = [(1,), (0,)]


class Forgetful:
    def forget(self, x):
        if x:
            del self
        parent = super()
        return parent.__eq__(x)


def super_of_deleted(x):
    try:
        return Forgetful().forget(x) is NotImplemented
    except RuntimeError as error:
        return str(error)
