"""Every link of the built site leads to a file and an anchor that are there, and to no other host
where the browser would fetch it by itself."""

from __future__ import annotations

import os
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(os.environ["SITE"]).resolve()


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if known.get("id"):
            self.anchors.add(str(known["id"]))
        if tag == "a" and known.get("href"):
            self.links.append(str(known["href"]))
        elif tag in ("img", "script", "iframe", "source") and known.get("src"):
            self.loaded.append(str(known["src"]))
        elif tag == "link" and known.get("href"):
            self.loaded.append(str(known["href"]))


@cache
def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def missing(path: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme in ("http", "https", "mailto"):
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return True
    anchor = unquote(parts.fragment)
    browser = target.parent.name == "operators" and target.name == "index.html"
    return bool(anchor) and not browser and target.suffix == ".html" and (
        anchor not in read(target).anchors and anchor != "__skip"
    )  # fmt: skip


def test_every_link_leads_somewhere() -> None:
    broken = {
        f"{path.relative_to(SITE)}: {link}"
        for path in SITE.rglob("*.html")
        if path.name != "404.html"  # its links begin at the root of a server
        for link in (*read(path).links, *read(path).loaded)
        if missing(path, link)
    }
    assert broken == set()


def test_nothing_is_loaded_from_elsewhere() -> None:
    elsewhere = {
        f"{path.relative_to(SITE)}: {link}"
        for path in SITE.rglob("*.html")
        for link in read(path).loaded
        if urlsplit(link).scheme or link.startswith("//")
    }
    assert elsewhere == set()


def test_both_languages_have_the_same_pages() -> None:
    english, chinese = (
        {str(path.relative_to(root)) for path in root.rglob("*.html")}
        for root in (SITE, SITE / "zh")
    )
    assert {page for page in english if not page.startswith("zh/")} == chinese
