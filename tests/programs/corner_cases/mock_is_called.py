"""A mock object given to `len`, called and compared keeps its own record."""

from unittest import mock

PYTHON_ONLY = "mock objects"
CASES = [(3,), (0,)]


def mock_is_called(x):
    thing = mock.MagicMock()
    thing.__len__.return_value = x
    thing.method.return_value = x + 1
    if len(thing) > 1:
        thing.method(1, k=2)
    for v in range(x):
        thing(v)
    with thing as inner:
        inner.enter = x
    if thing:
        thing.seen = True
    return len(thing), thing.call_count, str(thing.method.call_args), thing.method.called
