"""The letters of a text that is known when the graph runs, one by one by their places."""

STAGES = ("cond", "while_loop")
CASES = [(0,), (3,)]
ALWAYS = {"for i in range(len(word)):": "both words have several letters"}


def letters_by_their_places(x):
    word = "some" if x > 0 else "none at all"
    found, turned = 0, ""
    for i in range(len(word)):
        turned = word[i] + turned
        if word[i] == "o":
            found += 1
    return found, turned
