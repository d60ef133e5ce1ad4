"""Python makes the text of an ordered dict, which shows a tensor by its name."""

from collections import OrderedDict

REFUSED = "StagingError"
CASES = [(1,), (-1,)]
NAMES = "by its name in the graph"


def text_of_an_ordered_dict(x):
    return f"held: {OrderedDict(x=x)}" != ""
