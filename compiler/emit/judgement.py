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
from dealwright.compiler.emit.names import UNPACKED
from dealwright.compiler.emit.text import literal
from dealwright.compiler.ir import Value
from dealwright.compiler.model import Cardset
from dealwright.compiler.passes.needs import needed

EFFORT: Final = 10_000
"""Steps that judging some cards may take; where it can take more, a leader's hand is searched less far (decision 30)."""


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
            reads.of(("build", one.id)).game
            or any(isinstance(value, ir.Call) for value in package.given(one.id))
            for one in self._cardsets
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
        """The cardsets asked in turn, what several of them want found out just before the first; `size` if certain."""
        lines: list[str] = []
        at_hand: dict[Value | str, None] = {}
        verdicts = {
            value.cardset
            for one in cardsets
            for value in self._package.given(one.id)
            if isinstance(value, ir.IsCardset)
        }
        for one in cardsets:
            if one.id in verdicts:
                lines += self._asking(one.id, at_hand, indent, size)
                found = test = self._names.found(one.id)
            else:
                lines += self._finding_out(one.id, at_hand, indent, size)
                found, test = "found", self._if_possible(one.id)
            lines.append(f"{indent}if {test} is not None:")
            lines.append(
                f"{indent}    return Played({literal(one.id)}, {literal(one.name)}, cards, {found})"
            )
        return lines or [f"{indent}return None"]

    def _asking(
        self,
        cardset: str,
        at_hand: dict[Value | str, None],
        indent: str,
        size: int | None,
    ) -> list[str]:
        """The statements that find out whether the cards are a cardset which others ask about."""
        if cardset in at_hand:
            return []
        at_hand[cardset] = None
        return [
            *self._finding_out(cardset, at_hand, indent, size),
            f"{indent}{self._names.found(cardset)} = {self._called(cardset)}",
        ]

    def _finding_out(
        self,
        cardset: str,
        at_hand: dict[Value | str, None],
        indent: str,
        size: int | None,
    ) -> list[str]:
        """The statements for everything that a build function takes and that is not `at_hand` yet."""
        lines: list[str] = []
        for value, name in self._package.given(cardset).items():
            if isinstance(value, ir.IsCardset):
                lines += self._asking(value.cardset, at_hand, indent, size)
            elif value in at_hand:
                continue
            elif isinstance(value, ir.SortedValues):
                is_first = not any(
                    isinstance(known, ir.SortedValues) for known in at_hand
                )
                lines += self._sorting(value, name, indent, size, is_first)
            else:
                lines.append(f"{indent}{name} = {self._answer(value)}")
            at_hand[value] = None
        return lines

    def _if_possible(self, cardset: str) -> str:
        """The call of a build function, behind the other cardsets that the cards must be for it to accept them."""
        given = self._package.given(cardset)
        sure = needed(self._program.builds[cardset], given)
        tests = [f"{self._names.found(one.cardset)} is not None" for one in sure]
        return " and ".join([*tests, f"(found := {self._called(cardset, sure)})"])

    def _called(self, cardset: str, sure: Sequence[Value] = ()) -> str:
        """The call of a build function; `sure` are the verdicts handed over that have been found to be yes."""
        arguments = ["cards"]
        for value, name in self._package.given(cardset).items():
            if value in sure:
                arguments.append("True")
            elif isinstance(value, ir.IsCardset):
                arguments.append(f"{self._names.found(value.cardset)} is not None")
            else:
                arguments.append(name)
        if self._reads.of(("build", cardset)).game:
            arguments.append("game")
        return f"{self._names.build(cardset)}({', '.join(arguments)})"

    def _answer(self, value: Value) -> str:
        """What a method of the table says of the cards."""
        assert isinstance(value, ir.Call), "nothing else is handed over"
        key = (value.owner, value.method)
        needs = self._reads.of(key)
        arguments = [*(["game"] * needs.game), *(["cards"] * needs.judged)]
        return f"game.table.{self._names.method(*key)}({', '.join(arguments)})"

    def _sorting(
        self,
        value: ir.SortedValues,
        name: str,
        indent: str,
        size: int | None,
        is_first: bool,
    ) -> list[str]:
        """The statements that sort values of the cards; a few cards are unpacked, which takes less time than a loop."""
        attributes = [self._names.card_attribute(one) for one in value.names]
        down = "reverse=True" if value.is_descending else ""
        letters = UNPACKED[: size or 0]
        lines: list[str] = []
        if size is None or not 1 < size <= len(UNPACKED):
            rows = f"{_row('card', attributes)} for card in cards"
        else:
            rows = ", ".join(_row(letter, attributes) for letter in letters)
            if is_first:
                lines.append(f"{indent}{', '.join(letters)} = cards")
        # in place: `sorted` would copy the list that was just made
        return [*lines, f"{indent}{name} = [{rows}]", f"{indent}{name}.sort({down})"]

    def _beats(self) -> str:
        game = f", game: {self._names.game}" if self.beats_in else ""
        name = "beats_in" if self.beats_in else "beats"
        of_one_kind = self._of_one_kind()
        of_two_kinds = [
            line for one in self._cardsets for line in self._beats_others(one)
        ]
        lines = [f"def {name}(now: Played, before: Played{game}) -> bool:"]
        if of_one_kind or of_two_kinds:
            lines += ["    kind = now.cardset", "    other = before.cardset"]
        lines += [*of_one_kind, *of_two_kinds, "    return False"]
        return "\n".join(lines) + "\n"

    def _of_one_kind(self) -> list[str]:
        """The comparison of two plays of one cardset."""
        lines: list[str] = []
        for one in self._cardsets:
            call = self._comparison(one, one)
            if call is not None:
                lines.append(f"        if kind == {literal(one.name)}:")
                lines.append(f"            return {call}")
        return ["    if kind == other:", *lines] if lines else []

    def _beats_others(self, now: Cardset) -> list[str]:
        """What a play of this cardset beats of the others: by a comparison, or because it succeeds them."""
        inside: list[str] = []
        by_kind = []
        for before in self._cardsets:
            if before is now:
                continue
            call = self._comparison(now, before)
            if call is not None:
                inside.append(f"        if other == {literal(before.name)}:")
                inside.append(f"            return {call}")
            elif before.id in now.successors:
                by_kind.append(literal(before.name))
        if not inside and not by_kind:
            return []
        if len(by_kind) == 1:
            inside.append(f"        return other == {by_kind[0]}")
        elif by_kind:
            inside.append(f"        return other in ({', '.join(by_kind)})")
        return [f"    if kind == {literal(now.name)}:", *inside]

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
