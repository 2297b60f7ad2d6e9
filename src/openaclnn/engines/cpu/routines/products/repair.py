"""Repair: an element by the exact sum (`engines/cpu/sums`), rounded to odd."""

from __future__ import annotations

from openaclnn.engines.cpu.routines.products.kind import RECORD, WINDOW, A, B, C
from openaclnn.engines.cpu.routines.products.one_row import OneRow

_EXACT_TERMS = 1024  # that the exact sum takes at once
_PADDING = 64  # terms
_STATE = 128  # words: more than the state of a sum has


class Repairing(OneRow):
    """Functions that compute elements again."""

    def write_exact(self) -> None:
        """One element by the exact sum, rounded to odd."""
        head = "ptr %block, ptr %bases, ptr %row, ptr %column"
        with self.function("openaclnn_exact", head, "double"):
            state = self.variable("i64", count=_STATE)
            twice = 2 if self.kind.scaled or self.kind.offset else 1
            quantised = [self.of("%block", name, "ptr") for name in ("scale", "offset")]
            terms = self.variable("double", count=twice * _EXACT_TERMS + _PADDING)
            table = self.variable("i64", count=RECORD * _EXACT_TERMS)
            init, absorb, value = (self.of("%block", x, "ptr") for x in ("init", "absorb", "value"))
            self.call("void", init, f"ptr {state}")
            total, dims, count_dims = self.of("%block", "k"), *self._dims("k")
            a = self.at(self.word("%bases", A, "ptr"), self.word("%row", A))
            b, start_b = self.word("%bases", B, "ptr"), self.word("%column", B)
            alpha = self.of("%block", "alpha", "double")
            if self.kind.b_pattern == WINDOW:
                for name in ("high", "wide"):
                    self.line(f"%{name} = add i64 {self.of('%block', name)}, 0")

            def chunk(first: str) -> None:
                count = self.least(self.sub(total, first), _EXACT_TERMS)
                self.call(
                    "void", "@openaclnn_table", f"ptr {dims}", f"i64 {count_dims}",
                    f"i64 {first}", f"i64 {count}", f"ptr {table}",
                )  # fmt: skip

                def term(k: str) -> None:
                    record = self.at(table, k, 8 * RECORD)
                    x = self.read_one(self.kind.a, self.at(a, self.word(record, A)))
                    y = self._read_inside(b, self.add(start_b, self.word(record, B)), record)
                    if self.kind.scale:  # number and offset by themselves: their sum has more bits
                        scale, *more = self.quantities(quantised, "%column", record)
                        for number, factor in enumerate((y, *more)):
                            value = self._two("fmul", factor, scale, "double")
                            product = self._two("fmul", x, value, "double")
                            at = self.at(self.at(terms, k, 8 * twice), 8 * number)
                            self.store("double", product, at, 8)
                        return
                    if not self.kind.scaled:
                        product = self._two("fmul", x, y, "double")
                        self.store("double", product, self.at(terms, k, 8), 8)
                        return
                    # a product with alpha has 48 bits: two numbers of 24
                    scaled = self._two("fmul", x, alpha, "double")
                    bits = self.set(f"bitcast double {scaled} to i64")
                    upper = self._two("and", bits, -1 << 29)
                    high = self.set(f"bitcast i64 {upper} to double")
                    low = self._two("fsub", scaled, high, "double")
                    # of what is not finite there is one term
                    finite = self.test("oeq", low, low, "double")
                    low = self.set(f"select i1 {finite}, double {low}, double 0.0")
                    high = self.set(f"select i1 {finite}, double {high}, double {scaled}")
                    y_low = self.set(f"select i1 {finite}, double {y}, double 0.0")
                    at = self.at(terms, k, 16)
                    self.store("double", self._two("fmul", high, y, "double"), at, 8)
                    lower = self._two("fmul", low, y_low, "double")
                    product_low = self._finite_or_zero(lower)
                    self.store("double", product_low, self.at(at, 8), 8)

                self.repeat(0, count, term)
                self._absorb(absorb, terms, self.mul(count, twice), state)

            self.repeat(0, total, chunk, _EXACT_TERMS)
            if self.kind.c is not None:
                c = self._c_of("%bases", "%row", "%column")
                term = self.read_one(self.kind.c, c)
                if self.kind.scaled:
                    term = self._two("fmul", term, self.of("%block", "beta", "double"), "double")
                self.store("double", term, terms, 8)
                self._absorb(absorb, terms, "1", state)
            found = self.call("double", value, f"ptr {state}", "double 1.0")
            self.line(f"ret double {found}")

    def _finite_or_zero(self, value: str) -> str:
        """What is not finite is in the other term already."""
        difference = self._two("fsub", value, value, "double")
        finite = self.test("oeq", difference, "0.0", "double")
        return self.set(f"select i1 {finite}, double {value}, double 0.0")

    def _read_inside(self, base: str, place: str, record: str) -> str:
        if self.kind.b_pattern != WINDOW:
            return self.read_element(self.kind.b, base, place)
        at = self.at(base, place)
        found = self.variable("double")
        self.store("double", "0.0", found, 8)

        def there() -> None:
            self.store("double", self.read_one(self.kind.b, at), found, 8)

        self.when(self.inside(record, "%column"), there)
        return self.load("double", found, 8)

    def _absorb(self, absorb: str, terms: str, count: str, state: str) -> None:
        def zero(k: str) -> None:
            self.store("double", "0.0", self.at(terms, self.add(count, k), 8), 8)

        self.repeat(0, _PADDING, zero)
        self.call("void", absorb, f"ptr {terms}", f"i64 {count}", f"ptr {state}")

    def _c_of(self, bases: str, row: str, column: str) -> str:
        place = self.add(self.word(row, C), self.word(column, C))
        return self.at(self.word(bases, C, "ptr"), place)
