"""`recognize` and `beats`: which cardset some cards form, and whether one play beats another.

Recognition asks only the cardsets whose build flow can accept that many cards, in the rule's order, as a chain on the
length: a table of functions would cost twice as much. Beating follows the contract, section 6: the cardset's own
comparison, else comparisons by name in both directions, else successors.
"""

from __future__ import annotations

from typing import Final, final

from dealwright.compiler.emit.functions import Functions
from dealwright.compiler.emit.package import Package
from dealwright.compiler.emit.text import literal
from dealwright.compiler.emit.tries import Tries
from dealwright.compiler.representation import ir
from dealwright.compiler.rule.model import Cardset

EFFORT: Final = 10_000
"""Steps that judging some cards may take; where it can take more, a leader's hand is searched less far (decision 30)."""


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
            or any(isinstance(value, ir.Call) for value in package.facts.given[one.id])
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
        """The cardsets asked in turn; `size` is the number of cards, if it is certain."""
        lines = Tries(self._package, cardsets, size).statements()
        return [indent + line for line in lines or ["return None"]]

    def _beats(self) -> str:
        name = "beats_in" if self.beats_in else "beats"
        if only := self._only_comparison():
            # asking which cardset the plays are of would take longer than many a comparison
            return f"{name} = {only}  # there is no other cardset\n"
        game = f", game: {self._names.game}" if self.beats_in else ""
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

    def _only_comparison(self) -> str | None:
        """The name of the comparison that decides about all plays, if there is one that takes what `beats` takes."""
        if len(self._cardsets) != 1:
            return None
        (only,) = self._cardsets
        body = self._program.compares.get(only.id)
        # `beats` may take the game for a comparison by name that the cardset's own one hides
        if body is None or self._reads.body_needs_game(body) != self.beats_in:
            return None
        return self._names.compare(only.id)

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
