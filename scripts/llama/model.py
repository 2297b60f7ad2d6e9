"""Compare what a model says on llama.cpp's CANN backend with what it says on ggml's CPU backend.

    python scripts/llama/model.py BUILD MODEL [--reference MODEL] [--flash-attention on|off]
                                              [--json FILE]
    python scripts/llama/model.py BUILD MODEL --embed
    python scripts/llama/model.py BUILD MODEL --quantize OUT F16|Q8_0|Q4_0

BUILD is a build folder of llama.cpp with the target `llama` (docs/llama-cpp.md). Ten prompts are
continued by 32 tokens, which must be those of the CPU up to the first place where its margin, the
best logit above the next one, is below 0.05; the perplexity of six texts must be within 0.2 %
(0.5 % of quantised models). The reference of a quantised model is the same weights as F16, on the
CPU: ggml's own products with quantised weights round activations to 8 bits. Embeddings must have
1 - cos of at most 1e-6. The exit status is 1 if something differs by more. FILE gets tokens,
margins and perplexities of the device: openaclnn computes the same bits on every one, so two files
of different devices are equal.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).parent
CERTAIN = 0.05  # a margin that rounding does not overcome

PROMPTS = (
    "The capital of France is",
    "Water boils at a temperature of",
    "The three primary colors are",
    "A matrix is a rectangular array of",
    "Once upon a time there was a little girl who",
    "To make a good cup of tea, you should",
    "The sun rises in the east because",
    "def fibonacci(n):",
    "My favourite season is autumn, as",
    "Question: What is seven plus five? Answer:",
)
TEXTS = (
    "The river comes down from the hills in spring, when the snow melts, and carries stones and "
    "branches as far as the old bridge. In summer it is so low that children walk across. No one "
    "remembers who built the mill, but the wheel still turns on windy days, and the miller's house "
    "has become a small library where people read in the afternoon.",
    "A computer adds numbers in binary. Each number has a fixed count of digits, so most results "
    "must be rounded to the nearest number that can be stored. If many rounded results are added "
    "one after the other, the errors grow, and the result depends on the order of the additions. "
    "An exact sum does not have this problem, because it rounds only once, at the end.",
    "First wash the rice until the water is clear. Then let it rest for half an hour, add a little "
    "more water than rice, and bring it to the boil. Cover the pot, lower the heat, and wait for "
    "twelve minutes without lifting the lid. Let it stand for ten minutes before you serve it with "
    "vegetables, an egg, or some fish.",
    "Dear Anna, thank you for your letter. We arrived on Monday after a long journey by train and "
    "ship. The house is near the harbour, and from my window I can see the boats. Tomorrow we want "
    "to visit the market and the museum, and on Friday we will climb the tower if the weather is "
    "good. I hope you are well, and that the cat behaves.",
    "In mathematics, a prime number is a natural number greater than one that is not a product of "
    "two smaller natural numbers. There are infinitely many primes, as Euclid showed around 300 "
    "before Christ. The first few are two, three, five, seven, eleven and thirteen. Every natural "
    "number greater than one is a product of primes in exactly one way.",
    "The meeting began at nine. The first speaker explained why the old building must be repaired "
    "and how much that would cost. Several members asked whether the work could be done in winter, "
    "when the school needs fewer rooms. After an hour of discussion it was decided to ask two more "
    "companies for an offer and to meet again in March.",
)  # fmt: skip
SENTENCES = (
    "A kitten sleeps on the sofa.",
    "The cat is taking a nap.",
    "Stock markets fell sharply on Tuesday.",
    "The quick brown fox jumps over the lazy dog.",
    "Matrix products are exact and rounded once.",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of llama.cpp")
    parser.add_argument("model", type=pathlib.Path, help="a GGUF file")
    parser.add_argument("--reference", type=pathlib.Path, help="what runs on the CPU (the model)")
    parser.add_argument("--device", default="CANN0", help="where the model runs (CANN0)")
    parser.add_argument("--flash-attention", choices=("on", "off"), default="on")
    parser.add_argument("--json", type=pathlib.Path, help="write what the device says to this file")
    parser.add_argument("--embed", action="store_true", help="compare embeddings of sentences")
    parser.add_argument("--quantize", nargs=2, metavar=("OUT", "TYPE"), help="write the model anew")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(options.build, pathlib.Path(folder))
        if options.quantize:
            out, type = options.quantize
            return subprocess.run([program, "quantize", options.model, out, type]).returncode
        sides = Sides(program, options)
        good = embeddings_agree(sides) if options.embed else language_agrees(sides)
    if options.json:
        options.json.write_text(json.dumps(sides.said, indent=1) + "\n")
    return int(not good)


def compiled(
    build: pathlib.Path, folder: pathlib.Path, libraries: str | None = None
) -> pathlib.Path:
    """model.cpp as a program, which finds the build's `libraries`; carry.py has made one where the
    sources are not."""
    made = build / "bin" / "model"
    if made.exists():
        return made.resolve()
    cache = (build / "CMakeCache.txt").read_text()
    source = re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache, re.M)[1]
    library, program = (build / "bin").resolve(), folder / "model"
    toolkit = os.environ.get("ASCEND_TOOLKIT_HOME", "")
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O1", HERE / "model.cpp"]
    command += [f"-I{source}/include", f"-I{source}/ggml/include", "-o", program, f"-L{library}"]
    command += ["-lllama", "-lggml", "-lggml-base", f"-Wl,-rpath,{libraries or library}"]
    subprocess.run([*command, f"-Wl,-rpath-link,{toolkit}/lib64"], check=True)
    return program


class Sides:
    """The device that is looked at, and the CPU beside it."""

    def __init__(self, program: pathlib.Path, options: argparse.Namespace) -> None:
        self.program, self.flash = program, options.flash_attention
        self.own = (options.model, options.device)
        self.cpu = (options.reference or options.model, "none")
        self.quantised = options.reference is not None
        self.said: dict[str, list[Any]] = {}  # by the device, times left out

    def both(self, what: str, lines: tuple[str, ...]) -> tuple[list[Any], list[Any]]:
        """What the device and the CPU say to each line. They take turns, so that what else the
        machine does slows both down."""
        found: tuple[list[Any], list[Any]] = [], []
        with self.begun(what, *self.own) as own, self.begun(what, *self.cpu) as cpu:
            for line in lines:
                for process, said in zip((own, cpu), found, strict=True):
                    said.append(self.answer(process, line))
        self.said[what] = [
            {name: value for name, value in one.items() if "seconds" not in name}
            for one in found[0]
        ]
        return found

    def begun(self, what: str, model: pathlib.Path, device: str) -> subprocess.Popen[str]:
        command = [self.program, what, model, device, self.flash]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def answer(process: subprocess.Popen[str], line: str) -> dict[str, Any]:
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            said = next(one for one in process.stdout if one.startswith("{"))
        except (BrokenPipeError, StopIteration):
            sys.exit(f"{process.args[3]} ended with {process.wait()}")
        found: dict[str, Any] = json.loads(said)
        return found


def language_agrees(sides: Sides) -> bool:
    found, expected = sides.both("tokens", PROMPTS)
    good = True
    for prompt, own, cpu in zip(PROMPTS, found, expected, strict=True):
        sure = sure_tokens(cpu["margins"])
        same = equal_tokens(own["tokens"], cpu["tokens"])
        good &= same >= sure
        print(f"{same:3} tokens equal, {sure:3} of them must be: {prompt}")
    for name in ("seconds", "cpu_seconds"):
        own, cpu = (middle([one[name] for one in side]) for side in (found, expected))
        print(f"{name} of a token: {own:.4f}, on the CPU {cpu:.4f}: {own / cpu:.1f} times as long")
    most = 0.005 if sides.quantised else 0.002
    found, expected = sides.both("perplexity", TEXTS)
    for text, own, cpu in zip(TEXTS, found, expected, strict=True):
        more = own["perplexity"] / cpu["perplexity"] - 1
        good &= abs(more) <= most
        print(f"perplexity {own['perplexity']:8.4f} {more:+.4%}: {text[:40]}…")
    print("as on the CPU" if good else "not as on the CPU")
    return good


def sure_tokens(margins: list[float]) -> int:
    """How many tokens come before the first one that is close to another."""
    return next((k for k, margin in enumerate(margins) if margin < CERTAIN), len(margins))


def equal_tokens(one: list[int], other: list[int]) -> int:
    pairs = zip(one, other, strict=True)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), len(one))


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def embeddings_agree(sides: Sides) -> bool:
    good = True
    for sentence, own, cpu in zip(SENTENCES, *sides.both("embed", SENTENCES), strict=True):
        away = 1 - cosine(own["embedding"], cpu["embedding"])
        good &= away <= 1e-6
        print(f"1 - cos {away:.2g}: {sentence}")
    print("as on the CPU" if good else "not as on the CPU")
    return good


def cosine(one: list[float], other: list[float]) -> float:
    def dot(x: list[float], y: list[float]) -> float:
        return math.fsum(a * b for a, b in zip(x, y, strict=True))

    return dot(one, other) / math.sqrt(dot(one, one) * dot(other, other))


if __name__ == "__main__":
    sys.exit(main())
