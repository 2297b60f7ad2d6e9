"""Builds the documentation as a folder of web pages, in English and Chinese:

    python scripts/website [FOLDER]        FOLDER is `site` where none is named

Nothing is requested from elsewhere, neither while it is built nor when it is read, and the folder
can be opened without a server.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import staging
from staging import HERE, LANGUAGES, ROOT

from openaclnn.spec.describe import EN, ZH

NAMES = {EN: ("en", "English"), ZH: ("zh", "中文")}
DESCRIPTION = {
    EN: "Run Ascend aclnn programs without an NPU",
    ZH: "没有 NPU，也能运行昇腾 aclnn 程序",
}
DARK = {EN: "Switch to dark", ZH: "切换为深色"}
# headings in Chinese get anchors of their own words: a function, which JSON cannot name
SLUGIFY = "@slugify"
_SLUGIFY_TAG = '!!python/object/apply:pymdownx.slugs.slugify {"kwds": {"case": "lower"}}'
# words of the search: names behind a dot count, and Chinese words, which jieba marks by U+200B
SEPARATOR = r"[\s\u200b\-.,:;()\[\]<>/\"'`=*，。：；、（）]+"
QUIET = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # a notice of another version
LIGHT = {EN: "Switch to light", ZH: "切换为浅色"}


def main(target: Path) -> int:
    """Build both languages; the exit status of the first that fails."""
    shutil.rmtree(target, ignore_errors=True)
    work = ROOT / "build" / "website"
    for language in LANGUAGES:
        pages = work / language
        staging.stage(language, pages)
        written = work / f"{language}.yml"
        text = json.dumps(settings(language, pages, target), ensure_ascii=False)
        written.write_text(text.replace(f'"{SLUGIFY}"', _SLUGIFY_TAG), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "--quiet", "build", "--strict"]
        done = subprocess.run([*command, "--config-file", written], env=QUIET)
        if done.returncode:
            return done.returncode
    print(f"written: {target}/index.html")
    return 0


def settings(language: str, pages: Path, target: Path) -> dict[str, object]:
    """What mkdocs reads: JSON is YAML too."""
    other = ZH if language == EN else EN
    return {
        "site_name": "openaclnn",
        "site_description": DESCRIPTION[language],
        "docs_dir": str(pages),
        "site_dir": str(target if language == EN else target / "zh"),
        "use_directory_urls": False,
        "nav": staging.nav(language, pages),
        "not_in_nav": "/operators/*.md\n/notes/*.md\n",
        "validation": {"links": {"anchors": "warn"}, "omitted_files": "ignore"},
        "theme": {
            "name": "material",
            "custom_dir": str(HERE / "theme"),
            "language": NAMES[language][0],
            "font": False,
            "features": ["navigation.tabs", "navigation.top", "navigation.indexes",
                         "content.code.copy", "content.tabs.link", "search.highlight",
                         "toc.follow"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default",
                 "primary": "indigo", "accent": "indigo",
                 "toggle": {"icon": "material/weather-night", "name": DARK[language]}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "black",
                 "accent": "light blue",
                 "toggle": {"icon": "material/weather-sunny", "name": LIGHT[language]}},
            ],
        },
        "plugins": [
            {"search": {"lang": ["en", "zh"] if language == EN else ["zh"],
                        "separator": SEPARATOR}}, "offline",
        ],
        "extra": {
            "generator": False,
            "polyfills": ["javascripts/iframe-worker.js"],
            "alternate": True,  # theme/partials/alternate.html; a list would request sitemaps
            "other_root": "zh/" if language == EN else "../",
            "other_lang": NAMES[other][0],
            "other_name": NAMES[other][1],
        },
        "extra_css": ["site.css"],
        "markdown_extensions": [
            "admonition", "attr_list", "md_in_html", "tables",
            {"toc": {"permalink": True, "slugify": SLUGIFY}},
            "pymdownx.superfences", {"pymdownx.highlight": {"use_pygments": True}},
            {"pymdownx.tabbed": {"alternate_style": True}},
        ],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "site").resolve()))
