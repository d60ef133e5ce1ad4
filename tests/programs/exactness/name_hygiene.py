"""Variables named like those of generated code stay the user's own."""

STAGES = ("cond", "while_loop")
ALWAYS = {
    "for itr in range(if_body):": "there are two or three",
    "if fscope > 100:": "the sum is small",
}
CASES = [(3,), (-3,)]


def name_hygiene(get_state):
    do_return = 1
    retval_ = 2
    if get_state > 0:
        if_body = do_return + retval_
    else:
        if_body = retval_
    fscope = break_ = 0
    for itr in range(if_body):
        fscope += itr
        if fscope > 100:
            break
    vars_ = lambda set_state: set_state + fscope
    return vars_(if_body), break_, get_state
