"""Texts of a list that grew, joined element by element."""

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (2,)]
ALWAYS = {"for k in range(n):": "of no texts there is but one empty text"}


def texts_joined_in_tensors(n):
    words = []
    for k in range(n):
        words.append(rt.strings.as_string([k, k + 1]))
    return rt.strings.join(words, separator="-")
