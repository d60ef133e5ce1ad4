"""The links of a built site: each leads to a file and a heading, and nothing is from a network."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class LinkParser(HTMLParser):
    """Collects the anchors, links and resources of a page.

    Attributes:
        anchors: the names to which a link may lead.
        links: the addresses to which a reader can go.
        resources: the addresses that a browser loads with the page.
    """

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.resources: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and the anchor of an element."""
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        elif tag == "link" and values.get("rel") != "canonical" and "href" in values:
            self.resources.add(values["href"])
        elif "src" in values:
            self.resources.add(values["src"])


def broken_links(site: Path) -> list[str]:
    """Each link of a site that leads nowhere, and each resource that is not in the site."""
    parsed = {page.resolve(): _parsed(page) for page in sorted(site.rglob("*.html"))}
    return [
        f"{page.relative_to(site.resolve())}: {address}"
        for page, parser in parsed.items()
        for address in _broken(page, parser, parsed)
    ]


def _parsed(page: Path) -> LinkParser:
    parser = LinkParser()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def _broken(page: Path, parser: LinkParser, parsed: dict[Path, LinkParser]) -> Iterator[str]:
    for address in sorted(parser.links | parser.resources):
        parts = urlsplit(address)
        if parts.scheme == "data" or (parts.scheme and address not in parser.resources):
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if parts.scheme or parts.netloc or not target.is_file():
            yield address
        elif target in parsed and parts.fragment:
            if unquote(parts.fragment) not in parsed[target].anchors:
                yield address
