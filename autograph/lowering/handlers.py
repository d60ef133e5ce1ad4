"""A handler of the user's sees the user's frames only.

    except ValueError as error:    ->    except ValueError as error:
        log(error)                           ag__.drop_frames()
                                             log(error)

What a staged statement or an op raises has come through frames of ours. Nothing is done where
nothing is raised, and the call is on no line.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.lowering.words import put, say, unlined


def with_clean_handlers(function: Any) -> Any:
    """Return the converted function whose handlers first tidy up what they caught; in place.

    >>> tree = ast.parse("try: f()\\nexcept ValueError: pass")
    >>> print(ast.unparse(with_clean_handlers(tree).body[0].handlers[0]))
    <BLANKLINE>
    except ValueError:
        ag__.drop_frames()
        pass
    """
    for node in ast.walk(function):
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, unlined(put(ast.Expr(say("drop_frames", [], node)), node)))
    return function
