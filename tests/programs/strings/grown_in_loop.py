"""Text that grows in a loop over a tensor, and is asked for its length and its contents."""

STAGES = ("cond", "while_loop")
CASES = [([1, 22, 3],), ([5],), ([],)]


def grown_in_loop(xs):
    text = ""
    for x in xs:
        text += f"{int(x)};"
    if text == "5;":
        text = text + "alone"
    return text, len(text), "22" in text, text.startswith("1")
