"""A class defined in a function: its body is Python, its methods are converted."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (-3,), (0,), (1,)]


def class_in_function(x):
    class Tally:
        __start = 10
        if __start > 5:
            step = 2

        def count(self, n):
            total = self.__start
            for i in range(n):
                total += i * self.step
            return total if total > 11 else -total

    return Tally().count(x)
