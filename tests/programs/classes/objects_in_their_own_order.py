"""`sorted`, `max` and `min` of objects whose class says which comes first, also by `functools`."""

import functools

STAGES = ()
CASES = [(3, 1), (0, 5), (2, 2)]


@functools.total_ordering
class Parcel:
    def __init__(self, weight, label):
        self.weight = weight
        self.label = label

    def __eq__(self, other):
        return self.weight == other.weight

    def __lt__(self, other):
        return self.weight < other.weight


def objects_in_their_own_order(x, y):
    parcels = [Parcel(x, 1), Parcel(2, 2), Parcel(y, 3)]
    heaviest, lightest = max(parcels), min(parcels)
    up = [parcel.label for parcel in sorted(parcels)]
    down = [parcel.label for parcel in sorted(parcels, reverse=True)]
    return heaviest.label, lightest.label, up, down, parcels[0] >= parcels[2]
