"""`recognize` and `beats`: which cardset some cards form, and whether one play beats another.

Recognition asks only the cardsets whose build flow can accept that many cards, in the rule's order, as a chain on the
length: a table of functions would cost twice as much. Beating follows the contract, section 6: the cardset's own
comparison, else comparisons by name in both directions, else successors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from dealwright.compiler import ir
from dealwright.compiler.emit.exprs import Package
from dealwright.compiler.emit.functions import Functions
from dealwright.compiler.emit.text import literal
from dealwright.compiler.ir import Value
from dealwright.compiler.model import Cardset

EFFORT: Final = 10_000
"""Steps that judging some cards may take; where it can take more, a leader's hand is searched less far (decision 30)."""

_LETTERS: Final = "abcdefgh"


def _row(card: str, attributes: Sequence[str]) -> str:
    members = [f"{card}.{one}" for one in attributes]
    return members[0] if len(members) == 1 else f"({', '.join(members)})"


@final
class Judgement:
    """How a rule judges cards.

    `bounds` by cardset id; `comparisons` maps a pair of names to the id of the first written comparison of them;
    `recognize_in` and `beats_in` say whether the functions take the game; `lengths` are those that some cardset accepts;
    `effort` is for how many candidates one counts in the search for a leader's duty to play; `in_any_order` says that
    the order of the cards never shows.
    """

    def __init__(self, package: Package) -> None:
        program, reads, costs = package.program, package.reads, package.costs
        self._program = program
        self._package = package
        self._names = package.names
        self._reads = reads
        self.bounds = package.facts.lengths
        self._cardsets = program.rule.cardsets
        known = {one.name for one in self._cardsets}
        self.comparisons: dict[tuple[str, str], str] = {}
        for one in program.rule.comparisons:
            if one.a in known and one.b in known and one.id in program.comparisons:
                self.comparisons.setdefault((one.a, one.b), one.id)
        place = {one.name: number for number, one in enumerate(self._cardsets)}
        self.comparisons = dict(
            sorted(
                self.comparisons.items(),
                key=lambda item: (place[item[0][0]], place[item[0][1]]),
            )
        )
        self.recognize_in = any(
            reads.of(("build", one.id)).game for one in self._cardsets
        )
        bodies = [
            *program.compares.values(),
            *(program.comparisons[id] for id in self.comparisons.values()),
        ]
        self.beats_in = any(reads.body_needs_game(body) for body in bodies)
        self.lengths = self._lengths()
        self.in_any_order = self._is_order_free()
        steps = sum(costs.call(("build", one.id)) for one in self._cardsets)
        self.effort = -(-steps // EFFORT)

    def _lengths(self) -> tuple[int, ...] | None:
        found: set[int] = set()
        for one in self.bounds.values():
            accepted = one.accepted_lengths()
            if accepted is None:
                return None
            found.update(accepted)
        return tuple(sorted(found))

    def _is_order_free(self) -> bool:
        """Whether every order of the same cards is recognised alike, and beats and is beaten alike."""
        facts, program = self._package.facts, self._program
        shown = [
            facts.orders.sources(
                program.builds[one.id],
                facts.certainty(self.bounds[one.id]),
                self.bounds[one.id].at,
            )
            for one in self._cardsets
        ]
        # the lengths of plays are left out, which costs precision only
        shown += [
            facts.orders.sources(body, facts.certainty(), {})
            for body in (*program.compares.values(), *program.comparisons.values())
        ]
        return not any(
            kind in ("judged", "play") for sources in shown for kind, _ in sources
        )

    def functions(self) -> Functions:
        """`recognize` and `beats`."""
        made = Functions()
        recognize = self._recognize(made)
        beats = self._beats()
        made.texts += [recognize, beats]
        if "Play(" in recognize:
            made.used["Play"] = None
        return made

    def _recognize(self, made: Functions) -> str:
        game = f", game: {self._names.game}" if self.recognize_in else ""
        name = "recognize_in" if self.recognize_in else "recognize"
        lines = [f"def {name}(cards: Hand{game}) -> Played | None:"]
        groups, rest = self._by_length()
        if groups:
            lines.append("    size = len(cards)")
        for place, (lengths, cardsets) in enumerate(groups):
            test = (
                f"size == {lengths[0]}" if len(lengths) == 1 else f"size in {lengths!r}"
            )
            lines.append(f"    {'elif' if place else 'if'} {test}:")
            exact = lengths[0] if len(lengths) == 1 else None
            lines += self._tries(cardsets, "        ", exact)
        if rest and groups:
            lines.append("    else:")
            lines += self._tries(rest, "        ")
        elif rest:
            lines += self._tries(rest, "    ")
        lines.append("    return None")
        return "\n".join(lines) + "\n"

    def _by_length(
        self,
    ) -> tuple[list[tuple[tuple[int, ...], tuple[Cardset, ...]]], tuple[Cardset, ...]]:
        """The cardsets that accept each length told apart, equal ones together, and those that accept all others."""
        told_apart: set[int] = set()
        for one in self.bounds.values():
            told_apart.update(
                range(one.lengths.top)
                if one.accepted_lengths() is None
                else one.accepted_lengths() or ()
            )
        rest = tuple(one for one in self._cardsets if self._accepts_more(one))
        groups: dict[tuple[str, ...], tuple[list[int], tuple[Cardset, ...]]] = {}
        for length in sorted(told_apart):
            accepting = tuple(
                one for one in self._cardsets if self._accepts(one, length)
            )
            if accepting == rest:
                continue
            lengths, _ = groups.setdefault(
                tuple(one.id for one in accepting), ([], accepting)
            )
            lengths.append(length)
        return [
            (tuple(lengths), accepting) for lengths, accepting in groups.values()
        ], rest

    def _accepts_more(self, cardset: Cardset) -> bool:
        bounds = self.bounds[cardset.id]
        return bool(bounds.accepted >> bounds.lengths.top & 1)

    def _accepts(self, cardset: Cardset, length: int) -> bool:
        bounds = self.bounds[cardset.id]
        return bool(bounds.accepted >> min(length, bounds.lengths.top) & 1)

    def _tries(
        self, cardsets: tuple[Cardset, ...], indent: str, size: int | None = None
    ) -> list[str]:
        """The cardsets asked in turn, what several of them want sorted just before the first; `size` if it is certain."""
        lines: list[str] = []
        at_hand: dict[str, None] = {}
        for one in cardsets:
            given = self._package.given(one.id)
            for value, name in given.items():
                if name not in at_hand:
                    is_first = not at_hand
                    at_hand[name] = None
                    lines += self._sorting(value, name, indent, size, is_first)
            arguments = ["cards", *given.values()]
            if self._reads.of(("build", one.id)).game:
                arguments.append("game")
            called = f"{self._names.build(one.id)}({', '.join(arguments)})"
            lines.append(f"{indent}if (found := {called}) is not None:")
            lines.append(
                f"{indent}    return Play({literal(one.id)}, {literal(one.name)}, cards, found)"
            )
        return lines or [f"{indent}return None"]

    def _sorting(
        self, value: Value, name: str, indent: str, size: int | None, is_first: bool
    ) -> list[str]:
        """The statements that sort values of the cards; a few cards are unpacked, which takes less time than a loop."""
        assert isinstance(value, ir.SortedValues), "nothing else is handed over"
        attributes = [self._names.card_attribute(one) for one in value.names]
        down = ", reverse=True" if value.is_descending else ""
        letters = _LETTERS[: size or 0]
        if size is None or not 1 < size <= len(_LETTERS):
            row = _row("card", attributes)
            return [f"{indent}{name} = sorted([{row} for card in cards]{down})"]
        lines = [f"{indent}{', '.join(letters)} = cards"] if is_first else []
        rows = ", ".join(_row(letter, attributes) for letter in letters)
        return [*lines, f"{indent}{name} = sorted([{rows}]{down})"]

    def _beats(self) -> str:
        game = f", game: {self._names.game}" if self.beats_in else ""
        name = "beats_in" if self.beats_in else "beats"
        lines = [f"def {name}(now: Played, before: Played{game}) -> bool:"]
        for one in self._cardsets:
            lines += self._beaten_by(one)
        lines.append("    return False")
        return "\n".join(lines) + "\n"

    def _beaten_by(self, now: Cardset) -> list[str]:
        inside: list[str] = []
        by_kind = []
        for before in self._cardsets:
            call = self._comparison(now, before)
            if call is not None:
                inside.append(f"        if before.cardset == {literal(before.name)}:")
                inside.append(f"            return {call}")
            elif before.id in now.successors and before.id != now.id:
                by_kind.append(before.name)
        if not inside and not by_kind:
            return []
        if len(by_kind) == 1:
            inside.append(f"        return before.cardset == {literal(by_kind[0])}")
        elif by_kind:
            inside.append(
                f"        return before.cardset in ({', '.join(literal(one) for one in by_kind)})"
            )
        else:
            inside.append("        return False")
        return [f"    if now.cardset == {literal(now.name)}:", *inside]

    def _comparison(self, now: Cardset, before: Cardset) -> str | None:
        if now is before and now.id in self._program.compares:
            body = self._program.compares[now.id]
            return f"{self._names.compare(now.id)}(now, before{self._game(body)})"
        for a, b, order, sign in (
            (now, before, "now, before", ""),
            (before, now, "before, now", "not "),
        ):
            id = self.comparisons.get((a.name, b.name))
            if id is not None:
                game = self._game(self._program.comparisons[id])
                return f"{sign}{self._names.comparison(a.name, b.name)}({order}{game})"
        return None

    def _game(self, body: ir.Body) -> str:
        return ", game" if self._reads.body_needs_game(body) else ""
