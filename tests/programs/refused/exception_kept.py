"""An exception with values of the run in it is kept past its handler."""

REFUSED = "StagingError"
NAMES = "the exception that is caught"
CASES = [(3,), (-3,)]


def exception_kept(x):
    kept = None
    try:
        if x > 0:
            raise ValueError("v")
        raise KeyError("k")
    except (ValueError, KeyError) as error:
        kept = error
    return str(kept)
