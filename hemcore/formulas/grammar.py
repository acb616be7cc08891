"""Formulas parsed to a program in postfix order.

    formula    = choice, until the end
    choice     = either ["if" either "else" choice]        as in Python
    either     = both {"|" both}
    both       = compared {"&" compared}                   weaker than comparisons, as in perf
    compared   = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
    sum        = product {("+" | "-") product}
    product    = signed {("*" | "/" | "%") signed}
    signed     = {"-" | "+"} atom
    atom       = number | name | #constant | function "(" choice {"," choice} ")" | "(" choice ")"

A comparison is 1 or 0. `d_ratio(a, b)` is a / b, 0 where b is 0, as perf defines it. Nothing is executed while parsing.
Source: linux, tools/perf/util/expr.y.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hemcore.errors import ParameterError
from hemcore.formulas.tokens import FUNCTIONS, Token, tokens_of

MOST_DEPTH = 60  # of parentheses; each takes seven calls here
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Step(NamedTuple):
    """One step of a program: "number" (value), "name" or "constant" (text), or an operation on the last `takes` values."""

    operation: str
    takes: int = 0
    text: str = ""
    value: float = 0.0


@dataclass(frozen=True)
class Formula:
    """A parsed formula. program: its steps in postfix order; the last leaves one value. names, constants: in order of first use."""

    text: str
    program: tuple[Step, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The events and metrics it names."""
        return tuple(dict.fromkeys(step.text for step in self.program if step.operation == "name"))

    @property
    def constants(self) -> tuple[str, ...]:
        """The constants it needs, without "#"."""
        return tuple(dict.fromkeys(step.text for step in self.program if step.operation == "constant"))

    @property
    def is_identity(self) -> bool:
        """Whether it states that two sides are equal: `loads + stores == accesses`."""
        return self.program[-1].operation == "=="


@lru_cache(maxsize=20_000)
def parse(text: str, what: str = "formula") -> Formula:
    """The formula `text`. what: whose it is, for messages.

    Raises ParameterError, one sentence, for text that is no formula, is longer than 100,000 characters or nested deeper than 60.
    """
    if not text.strip():
        raise ParameterError(f"{what}: the formula is empty. Write one, such as INSTRUCTIONS / CYCLES.")
    parser = _Parser(tokens_of(text, what), what)
    parser.choice(0)
    parser.expect_end()
    return Formula(text.strip(), tuple(parser.program))


class _Parser:
    def __init__(self, tokens: list[Token], what: str) -> None:
        self.tokens, self.what, self.place = tokens, what, 0
        self.program: list[Step] = []

    @property
    def here(self) -> Token:
        return self.tokens[self.place]

    def refuse(self, wanted: str) -> ParameterError:
        token = self.here
        seen = "it ends here" if token.kind == "end" else f"it has {token.text[:40]!r}"
        return ParameterError(f"{self.what}: at character {token.at + 1} {wanted} is needed, but {seen}. Correct the formula.")

    def taken(self, *texts: str) -> str:
        """The operator or word here if it is one of `texts`, which is then passed; else ""."""
        token = self.here
        if token.kind in ("operator", "word") and token.text in texts:
            self.place += 1
            return token.text
        return ""

    def expect_end(self) -> None:
        if self.here.kind != "end":
            raise self.refuse("an operator")

    def choice(self, depth: int) -> None:
        if depth > MOST_DEPTH:
            raise ParameterError(f"{self.what}: more than {MOST_DEPTH} levels of parentheses. Name its parts as metrics.")
        self.either(depth)
        choices = 0
        while self.taken("if"):  # a chain of choices is no deeper for being long
            self.either(depth)
            if not self.taken("else"):
                raise self.refuse("'else'")
            self.either(depth)
            choices += 1
        self.program += [Step("if", 3)] * choices

    def either(self, depth: int) -> None:
        self.both(depth)
        while self.taken("|"):
            self.both(depth)
            self.program.append(Step("|", 2))

    def both(self, depth: int) -> None:
        self.compared(depth)
        while self.taken("&"):
            self.compared(depth)
            self.program.append(Step("&", 2))

    def compared(self, depth: int) -> None:
        self.sum(depth)
        operation = self.taken(*COMPARISONS)
        if operation:
            self.sum(depth)
            self.program.append(Step(operation, 2))
            if self.here.text in COMPARISONS and self.here.kind == "operator":
                raise self.refuse("& between two comparisons")

    def sum(self, depth: int) -> None:
        self.product(depth)
        while operation := self.taken("+", "-"):
            self.product(depth)
            self.program.append(Step(operation, 2))

    def product(self, depth: int) -> None:
        self.signed(depth)
        while operation := self.taken("*", "/", "%"):
            self.signed(depth)
            self.program.append(Step(operation, 2))

    def signed(self, depth: int) -> None:
        negative = False
        while sign := self.taken("-", "+"):
            negative ^= sign == "-"
        self.atom(depth)
        if negative:
            self.program.append(Step("negative", 1))

    def atom(self, depth: int) -> None:
        token = self.here
        if token.kind == "number":
            self.place += 1
            hexadecimal = token.text.lower().startswith("0x")
            self.program.append(Step("number", value=float(int(token.text, 16) if hexadecimal else float(token.text))))
        elif token.kind == "constant":
            self.place += 1
            self.program.append(Step("constant", text=token.text))
        elif token.kind == "name":
            self.place += 1
            name = token.text.lower()
            if self.here.text == "(" and self.here.kind == "operator":
                self.function(name, depth)
            else:
                self.program.append(Step("name", text=token.text))
        elif self.taken("("):
            self.choice(depth + 1)
            if not self.taken(")"):
                raise self.refuse("')'")
        else:
            raise self.refuse("a number, a name or '('")

    def function(self, name: str, depth: int) -> None:
        if name not in FUNCTIONS:
            self.place -= 1
            raise self.refuse(f"an operator or one of the functions {', '.join(FUNCTIONS)}")
        self.taken("(")
        if name in ("has_event", "source_count", "strcmp_cpuid_str"):
            token = self.here
            if token.kind != ("number" if name == "strcmp_cpuid_str" else "name"):
                raise self.refuse("the name of an event" if name != "strcmp_cpuid_str" else "the number of a processor")
            self.place += 1
            # Whether the machine is that processor, and how many units an event was added up over, is known outside the formula.
            known = name == "has_event"
            self.program.append(Step(name, text=token.text) if known else Step("constant", text=f"{name}({token.text})"))
        else:
            self.choice(depth + 1)
            takes = 1
            while self.taken(","):
                self.choice(depth + 1)
                takes += 1
            if takes < FUNCTIONS[name] or (name == "d_ratio" and takes > 2):
                raise self.refuse(f"{FUNCTIONS[name]} values in {name}(...)")
            self.program += [Step(name, 2)] * (takes - 1)  # min(a, b, c) = min(a, min(b, c))
        if not self.taken(")"):
            raise self.refuse("')'")
