"""After a `break` the loop test is not evaluated again: it would read past the end."""

STAGES = ("while_loop",)
CASES = [([4, 5, 6], 6), ([4, 5, 6], 9), ([4], 4), ([4], 6)]


def break_guards_index(xs, stop):
    i = 0
    while xs[i] != stop:
        i = i + 1
        if i == len(xs):
            break
    return i
