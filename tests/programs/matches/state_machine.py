"""The number a loop carries decides which state comes next."""

STAGES = ("cond", "while_loop")
CASES = [([0, 1, 1, 0],), ([1, 1, 1, 2],), ([2, 0, 1, 1],), ([],), ([0],)]


def state_machine(symbols):
    state, steps, is_open = 0, 0, False
    for symbol in symbols:
        match (state, symbol):
            case (0, 1):
                state = 1
            case (1, 1):
                state, is_open = 2, True
            case (2, s) if s > 1:
                break
            case (int(), 0):
                state = 0
        match is_open:
            case True:
                steps += 10
            case False:
                steps += 1
    return state, steps
