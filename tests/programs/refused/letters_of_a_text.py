"""The letters of a text that is known when the graph runs: they are looked up by their places."""

REFUSED = "StagedIterationError"
CASES = [(0,), (3,)]
NAMES = "text"


def letters_of_a_text(x):
    word = "some" if x > 0 else "none at all"
    found = 0
    for letter in word:
        if letter == "o":
            found += 1
    return found
