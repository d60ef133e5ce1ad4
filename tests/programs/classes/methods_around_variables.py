"""Methods of a local class write a variable and a list of the function around it."""

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


def methods_around_variables(n):
    calls, seen = 0, [0]

    class Log:
        def add(self, value):
            nonlocal calls
            calls += 1
            seen.append(value)

        @property
        def last(self):
            return seen[-1]

    log = Log()
    while n > 0:
        log.add(n)
        n -= 1
    return calls, seen, log.last
