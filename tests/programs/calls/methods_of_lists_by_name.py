"""A method of a list or dict is called by another name, through a function or out of a dict."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (-1,), (1,)]


def each(function, count):
    for i in range(count):
        function(i)


def methods_of_lists_by_name(n):
    done, left, more = [], [1, 2], {}
    push, pop, update = done.append, left.pop, more.update
    commands = {"push": push}
    if n > 0:
        push(n)
        pop()
        update({"n": n})
    each(done.append, n)
    chosen = done.append if n > 1 else left.append
    chosen(7)
    commands["push"](8)
    return done, left, more.get("n", -1)
