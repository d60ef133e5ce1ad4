"""A loop over Python objects changes them, and stops where a tensor says so."""

STAGES = ("cond",)
CASES = [(1,), (2,), (4,), (0,)]


class Box:
    def __init__(self, room):
        self.room, self.held = room, []


def stops_at_the_first_acceptor(size):
    boxes = [Box(1), Box(2), Box(3)]
    for box in boxes:
        box.held.append(0)
        if box.room >= size:
            box.room -= size
            break
        box.room += 10
    return [box.room for box in boxes], [len(box.held) for box in boxes]
