"""The modules of the standard library whose tests run on converted code."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.machinery import ModuleSpec


@dataclass(frozen=True)
class Module:
    """Some source files of the standard library, and the tests CPython has for them.

    Attributes:
        name: what the table calls them.
        sources: the modules with the functions to convert, by their full names; one that this
            Python does not have is passed over.
        suites: the modules with the tests.
        is_slow: whether it is left to the full sweep.
        since: the first Python that has the suites.
        differs: the tests that end in another way while a graph is recorded, with the reason.
    """

    name: str
    sources: tuple[str, ...]
    suites: tuple[str, ...]
    is_slow: bool = False
    since: tuple[int, int] = (3, 10)
    differs: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_there(self) -> bool:
        """Whether this Python is to have the suites."""
        return sys.version_info >= self.since

    def files(self) -> frozenset[str]:
        """Return the files of the sources."""
        specs = [_spec(name) for name in self.sources]
        return frozenset(spec.origin for spec in specs if spec is not None and spec.origin)


def _spec(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:  # this Python does not have its parent either
        return None


def _quick(name: str, *sources: str, suite: str = "") -> Module:
    return Module(name, sources or (name,), (f"test.{suite or f'test_{name}'}",))


def _slow(name: str, *sources: str, suite: str = "") -> Module:
    return replace(_quick(name, *sources, suite=suite), is_slow=True)


def _asyncio(name: str, suites: str, since: tuple[int, int] = (3, 10)) -> Module:
    names = tuple(f"test.test_asyncio.test_{suite}" for suite in suites.split())
    return Module(name, ASYNCIO, names, True, since)


def _language(name: str, is_slow: bool = False, since: tuple[int, int] = (3, 10)) -> Module:
    """The tests of a piece of the language: the tests themselves are converted."""
    suite = f"test.test_{name}"
    return Module(f"({name})", (suite,), (suite,), is_slow, since)


def _parts(package: str, names: str) -> tuple[str, ...]:
    return (package, *(f"{package}.{name}" for name in names.split()))


JSON = _parts("json", "decoder encoder scanner tool")
EMAIL = _parts(
    "email",
    "_encoded_words _header_value_parser _parseaddr _policybase base64mime charset contentmanager "
    "encoders feedparser generator header headerregistry iterators message parser policy utils",
)
ASYNCIO = _parts(
    "asyncio",
    "base_events base_futures base_tasks coroutines events futures locks mixins protocols queues "
    "runners selector_events streams taskgroups tasks threads timeouts transports unix_events",
)

_FRAMES = "walks over a number of frames, and operators have frames of their own"
_OF_AST = {"test_ast_asdl_signature": "lists the subclasses of `ast.expr`, and gast has more"}
_OF_TRACEBACK = {"test_format_locals": _FRAMES}
_REPLACED = "copies an iterator, and its function has a replacement while a graph is recorded"
_OF_ITERTOOLS = dict.fromkeys(
    ("test_compress", "test_dropwhile", "test_starmap", "test_takewhile")
    + ("test_accumulate_reducible_none",),
    _REPLACED,
)
_OF_INSPECT: Mapping[str, str] = {}
if sys.version_info >= (3, 11):
    _OF_TRACEBACK = {**_OF_TRACEBACK, "test_custom_format_frame": _FRAMES}
    _OF_INSPECT = {"test_custom___getattribute__": "`is` reads `__class__` of values in a trace"}

MODULES = (
    _slow("argparse"),
    _quick("collections", "collections", "_collections_abc"),
    _slow("configparser"),
    _quick("contextlib"),
    _quick("copy"),
    _quick("csv"),
    _quick("dataclasses"),
    _slow("enum"),
    _quick("fractions"),
    _quick("functools"),
    _quick("graphlib"),
    _slow("heapq"),
    _quick("pprint"),
    _quick("shlex"),
    _quick("string"),
    _quick("textwrap"),
    _quick("types"),
    _quick("urllib.parse", suite="test_urlparse"),
    _language("asyncgen"),
    _language("class"),
    _language("contextlib_async"),
    _language("except_star", since=(3, 11)),
    _language("exception_variations"),
    _language("generators"),
    _language("grammar"),
    _language("iter"),
    _language("named_expressions"),
    _language("raise"),
    _language("scope"),
    _language("with"),
    _language("type_params", since=(3, 12)),
    _language("yield_from"),
    replace(_slow("ast"), differs=_OF_AST),
    _asyncio("asyncio", "futures locks queues runners streams"),
    _asyncio("asyncio (3.11)", "taskgroups timeouts", since=(3, 11)),
    _slow("bisect"),
    _slow("calendar"),
    _slow("datetime", "datetime", "_pydatetime"),
    _slow("decimal", "_pydecimal"),
    _slow("difflib"),
    _slow("doctest"),
    _slow("email", *EMAIL, suite="test_email.test_email"),
    _slow("fnmatch"),
    _slow("gettext"),
    _slow("glob"),
    _slow("html.parser", "html.parser", "_markupbase", suite="test_htmlparser"),
    replace(_slow("inspect"), differs=_OF_INSPECT),
    _slow("ipaddress"),
    _slow("json", *JSON),
    _slow("logging", *_parts("logging", "config handlers")),
    _slow("operator"),
    _slow("optparse"),
    _slow("pathlib", "pathlib", "pathlib._abc", "pathlib._local"),
    _slow("pickle"),
    _slow("plistlib"),
    _slow("queue"),
    _slow("random"),
    _slow("re", "re", "re._compiler", "re._parser", "sre_compile", "sre_parse"),
    _slow("reprlib"),
    _slow("sched"),
    _slow("statistics"),
    _slow("tarfile"),
    _slow("tempfile"),
    _slow("tokenize"),
    replace(_slow("traceback"), differs=_OF_TRACEBACK),
    _slow("typing"),
    _slow("weakref", "weakref", "_weakrefset"),
    _slow("zipfile"),
    _language("builtin", is_slow=True),
    _language("coroutines", is_slow=True),
    _language("decorators", is_slow=True),
    _language("descr", is_slow=True),
    _language("dict", is_slow=True),
    _language("dynamic", is_slow=True),
    _language("exception_group", is_slow=True, since=(3, 11)),
    _language("fstring", is_slow=True),
    _language("funcattrs", is_slow=True),
    replace(_language("itertools", is_slow=True), differs=_OF_ITERTOOLS),
    _language("keywordonlyarg", is_slow=True),
    _language("listcomps", is_slow=True, since=(3, 12)),
    _language("opcodes", is_slow=True),
    _language("ordered_dict", is_slow=True),
    _language("positional_only_arg", is_slow=True),
    _language("property", is_slow=True),
    _language("richcmp", is_slow=True),
    _language("set", is_slow=True),
    _language("type_aliases", is_slow=True, since=(3, 12)),
    _language("typing", is_slow=True),
)
