"""Every identifier of a generated package, decided before anything is emitted.

Goes in: the lowered program. Comes out: `Names`, which the emitter asks. Each namespace is named at once by `naming`:
properties of a class, its methods, a method's parameters, build and compare functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, final

from dealwright.compiler.emit.naming import identifiers, sanitized, slug
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.control import in_control_order
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import Program
from dealwright.compiler.rule.objects import KEPT

ALWAYS_TAKEN: Final = frozenset(
    (
        "A_WINS Again AssignableCard AwaitChoice AwaitPlay B_WINS Card CardBase ChoiceWait ClassVar Final "
        "Game Hand Hop Mapping NO_CARD NO_PLAYER NO_PROPERTIES Never Next OrAgain PACKAGE Package Play PlayWait Played "
        "Player PlayerBase Properties RESUME Resume SETTLE Table TableBase TypeAlias Value a all any at b beats beats_in "
        "before bool card cards cards_in cardsets dict divide element_in enumerate every follow found game "
        "int integer integers_in isinstance len list max min modulo multiply new_deck now number object player players_in "
        "product recognize recognize_in run self settle size sorted sorted_in start str super truth tuple "
        "value values"
    ).split(" ")
)
"""What generated functions use by these names; no parameter, local or method may be called so."""

_ENGINE_ATTRIBUTES: Final = frozenset(
    (
        "RESPELLED as_nothing attach id number player_index index cur_max settlement_index 本轮应出牌者 "
        "用户做出的选择 restore seat values 手牌数"
    ).split(" ")
)

_IN_CARDS: Final = frozenset(
    "Card ClassVar Mapping dict enumerate int list product self str super".split(" ")
)
"""What the classes and the deck use by these names, where properties are parameters and loop variables."""


UNPACKED: Final = "abcdefgh"
"""The names that recognition gives to a few cards, one each."""


def _readers(names: Iterable[str]) -> frozenset[str]:
    """Those names that look like the functions that read mixed values; the author's get another spelling."""
    return frozenset(one for one in map(sanitized, names) if one.startswith("read_"))


def _pair(a: str, b: str, between: str = "with") -> str:
    """One text for two names, different for different names: what separates them becomes underscores."""
    # a NUL in a name is doubled, so that it cannot be taken for one of ours
    return f"\0{between}\0".join(one.replace("\0", "\0\0") for one in (a, b))


def _results(program: Program) -> dict[str, dict[str, str]]:
    """By cardset id, what the properties of the plays are called that each node accepts, if they have any."""
    names = {one.id: one.name for one in program.rule.cardsets}
    return {
        cardset: {
            one.id: _pair(names[cardset], one.id, "at")
            for one in in_control_order(body)
            if isinstance(one.operation, ir.Accept) and one.operation.properties
        }
        for cardset, body in program.builds.items()
    }


@final
class Names:
    """The identifiers of one package."""

    def __init__(self, program: Program, stem: str) -> None:
        rule = program.rule
        self.slug = slug(stem)
        words = "".join(one if one.isalnum() else " " for one in stem).split()
        self.game = (
            sanitized("".join(word[:1].upper() + word[1:] for word in words), "")
            + "Game"
        )
        self._properties = {
            owner: {
                **{name: name for name in KEPT[owner]},
                **identifiers(
                    [one.name for one in stored], _ENGINE_ATTRIBUTES | _IN_CARDS
                ),
            }
            for owner, stored in program.stored.items()
        }
        self._methods = {
            owner.name: identifiers(
                owner.methods,
                ALWAYS_TAKEN
                | _ENGINE_ATTRIBUTES
                | frozenset(self._properties[owner.name].values())
                | {self.game},
            )
            for owner in rule.classes()
        }
        self._builds = identifiers([one.name for one in rule.cardsets], prefix="build_")
        self._compares = identifiers(
            [one.name for one in rule.cardsets], prefix="compare_"
        )
        taken = frozenset(self._compares.values())
        self._comparisons = identifiers(
            [_pair(one.a, one.b) for one in rule.comparisons],
            taken,
            prefix="compare_",
        )
        functions = frozenset(
            {
                *self._builds.values(),
                *self._compares.values(),
                *self._comparisons.values(),
            }
        )
        accepted = _results(program)
        results = identifiers(
            [one for ones in accepted.values() for one in ones.values()],
            prefix="PROPERTIES_",
        )
        self._results = {
            cardset: {node: results[name] for node, name in ones.items()}
            for cardset, ones in accepted.items()
        }
        self.taken = ALWAYS_TAKEN | functions | {*results.values(), self.game}
        self._parameters = {
            key: identifiers(
                [name for name, _ in method.parameters],
                self.taken | _readers(name for name, _ in method.parameters),
            )
            for key, method in program.methods.items()
        }
        self._cardset_names = {one.id: one.name for one in rule.cardsets}

    def properties(self, owner: str) -> Mapping[str, str]:
        """The identifiers of a class's properties by their original names, kept ones first."""
        return self._properties[owner]

    def property(self, owner: str, name: str) -> str:
        """The attribute that holds a stored property."""
        return self._properties[owner][name]

    def method(self, owner: str, name: str) -> str:
        """The method of the generated class."""
        return self._methods[owner][name]

    def parameter(self, key: tuple[str, str], name: str) -> str:
        """A parameter of a generated method."""
        return self._parameters[key][name]

    def parameters(self, key: tuple[str, str]) -> Mapping[str, str]:
        """All parameters of a generated method by their original names."""
        return self._parameters[key]

    def results(self, cardset: str) -> Mapping[str, str]:
        """The constants for what each node accepts that gives its plays properties, by the node's id."""
        return self._results[cardset]

    def build(self, cardset: str) -> str:
        """The build function of a cardset, given its id."""
        return self._builds[self._cardset_names[cardset]]

    def compare(self, cardset: str) -> str:
        """The compare function of a cardset, given its id."""
        return self._compares[self._cardset_names[cardset]]

    def taken_beside(self, method: tuple[str, str] | None) -> frozenset[str]:
        """What a further function of a flow may not be called: in a method what its class has, else what a module has."""
        if method is None:
            return self.taken
        owner = method[0]
        return self.taken | {
            *self._properties[owner].values(),
            *self._methods[owner].values(),
        }

    def handed(self, values: Iterable[Value]) -> Mapping[Value, str]:
        """The parameters that hold what recognition hands over: `sorted_rank`, `falling_rank` after the properties of
        cards, `may_be_played` after the method, `is_Flush` after the cardset.
        """
        prefixed: dict[str, dict[Value, str]] = {
            "sorted_": {},
            "falling_": {},
            "is_": {},
            "": {},
        }
        for value in values:
            if isinstance(value, ir.SortedValues):
                # what separates the names becomes an underscore
                text = "\0".join(self.card_attribute(name) for name in value.names)
                prefixed["falling_" if value.is_descending else "sorted_"][value] = text
            elif isinstance(value, ir.IsCardset):
                prefixed["is_"][value] = self._cardset_names[value.cardset]
            else:
                assert isinstance(value, ir.Call), "nothing else is handed over"
                prefixed[""][value] = self.method(value.owner, value.method)
        named: dict[Value, str] = {}
        beside = self.taken.union(UNPACKED, map(self.found, self._cardset_names))
        for prefix, texts in prefixed.items():
            taken = beside.union(named.values())
            found = identifiers(texts.values(), taken, prefix=prefix)
            named |= {value: found[text] for value, text in texts.items()}
        return named

    def found(self, cardset: str) -> str:
        """The local of recognition that holds what the build function of a cardset has said, given its id."""
        return f"as_{self.build(cardset).removeprefix('build_')}"

    def card_attribute(self, name: str) -> str:
        """The attribute of a card that holds a stored property or its number."""
        return "id" if name == "id" else self.property("card", name)

    def comparison(self, a: str, b: str) -> str:
        """The function that compares two cardsets, given their names."""
        return self._comparisons[_pair(a, b)]
