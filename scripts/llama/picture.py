"""Draw a terminal in which a model speaks on llama.cpp's CANN backend, as an SVG.

    python scripts/llama/picture.py BUILD MODEL PROMPT OUT.svg [--tokens N]

BUILD has `bin/llama-simple`, which is run: what the picture shows is what it said.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import textwrap
from html import escape

WIDTH, LINE = 84, 20  # characters of a line; its height
SAID = re.compile(r"using device CANN0.*|offloaded \d+/\d+ layers to GPU")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of llama.cpp")
    parser.add_argument("model", type=pathlib.Path, help="a GGUF file")
    parser.add_argument("prompt")
    parser.add_argument("out", type=pathlib.Path, help="where the picture goes")
    parser.add_argument("--tokens", default="40", help="how many follow the prompt (40)")
    options = parser.parse_args()
    words = ["-m", options.model, "-ngl", "99", "-n", options.tokens, options.prompt]
    done = subprocess.run(
        [options.build / "bin" / "llama-simple", *words], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr)
    shown = f'llama-simple -m {options.model.name} -ngl 99 -n {options.tokens} "{options.prompt}"'
    log = [found[0] for line in done.stderr.splitlines() if (found := SAID.search(line))]
    options.out.write_text(picture(shown, log, done.stdout.strip()))
    return 0


def picture(command: str, log: list[str], text: str) -> str:
    """The command, what the log said of the device, and the text."""
    rows = [("prompt", f"$ {command}"), *(("log", line) for line in log)]
    for line in text.splitlines():
        rows += [("said", part) for part in textwrap.wrap(line, WIDTH) or [""]]
    height = LINE * (len(rows) + 2)
    spans = "\n".join(
        f'<text x="16" y="{LINE * (k + 2) - 4}" class="{kind}">{escape(line)}</text>'
        for k, (kind, line) in enumerate(rows)
        if line
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {9 * WIDTH} {height}" \
role="img" aria-label="A language model on CANN0">
<style>text {{ font: 14px monospace; white-space: pre }} .prompt {{ fill: #7ee787 }}
.log {{ fill: #8b949e }} .said {{ fill: #f0f6fc }}</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
{spans}
</svg>
"""


if __name__ == "__main__":
    sys.exit(main())
