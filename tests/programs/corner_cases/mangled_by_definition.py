"""Private names belong to the class they are written in, not to that of the object."""

PYTHON_ONLY = "names of attributes"
CASES = [(3,), (-3,)]


class First:
    __kind = "first"

    def kinds(self, x):
        if x > 0:
            self.__seen = x
        return self.__kind, sorted(n for n in dir(self) if "__" in n[2:-2] or n[:6] == "_First")

    class __Inner:
        def __say(self, __x=1):
            return __x

        def say(self):
            return self.__say(__x=2) if self else None

    def inner(self):
        return self.__Inner().say(), First.__Inner.__name__


class Second(First):
    __kind = "second"


def mangled_by_definition(x):
    second = Second()
    return second.kinds(x), second.inner(), sorted(vars(second))
