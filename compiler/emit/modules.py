"""Whole modules of the generated package: skeletons from jinja2, functions spliced in, imports counted.

Bodies are rendered before headers, so each module imports exactly what its functions use. Every text of the author that
reaches a skeleton has gone through `emit.text` here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, final

import jinja2

from dealwright.compiler.emit.functions import Emitter, Functions
from dealwright.compiler.emit.judgement import Judgement
from dealwright.compiler.emit.package import Package
from dealwright.compiler.emit.readers import reader_texts
from dealwright.compiler.emit.text import comment, docstring, literal
from dealwright.compiler.lowering.coerce import card_number_property
from dealwright.compiler.passes.alike import judged_by
from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.representation import ir
from dealwright.compiler.rule.objects import deck_axes

_RUNTIME_MODULE: Final = "dealwright.runtime"
_RUNTIME: Final = frozenset(
    (
        "A_WINS B_WINS NO_PROPERTIES SETTLE Again AssignableCard AwaitChoice AwaitPlay CardBase ChoiceWait Game Hop "
        "Next OrAgain Package Play PlayWait PlayerBase Properties Resume TableBase Value at cards_in divide element_in "
        "every follow integer integers_in modulo multiply players_in run size sorted_in truth"
    ).split(" ")
)
HAND_SIZE: Final = "手牌数"
_STANDARD: Final[Mapping[str, str]] = {
    "Mapping": "collections.abc",
    "product": "itertools",
    "ClassVar": "typing",
    "Final": "typing",
    "Never": "typing",
    "TypeAlias": "typing",
}


@final
class Modules:
    """Renders the modules of one package; `source` is how headers name the rule file."""

    def __init__(self, package: Package, judgement: Judgement, source: str) -> None:
        self._package = package
        self._program = package.program
        self._names = package.names
        self._judgement = judgement
        self._emitter = Emitter(package)
        self._source = comment(source)
        classes = {
            "Card",
            "Player",
            "Table",
            "Hand",
            "Played",
            "NO_CARD",
            "NO_PLAYER",
            "new_deck",
        }
        self._classes = frozenset({*classes, self._names.game})
        self._cardset_functions = frozenset(
            self._names.build(one.id) for one in self._program.rule.cardsets
        )

    def render(self) -> dict[str, str]:
        """The texts of all modules by file name, not yet formatted."""
        files = {
            "cardsets.py": self._cardsets(),
            "match.py": self._match(),
            "settle.py": self._settle(),
        }
        # last, since other modules ask for readers of mixed values that live among the classes
        files["classes.py"] = self._class_module()
        files["__init__.py"] = self._init()
        files["py.typed"] = ""
        return files

    def _template(
        self, skeleton: str, text: str, imports: list[list[str]], **values: object
    ) -> str:
        template = _environment().get_template(skeleton)
        return template.render(
            source=self._source, docstring=docstring(text), imports=imports, **values
        )

    def _imports(
        self,
        used: Iterable[str],
        own: frozenset[str] = frozenset(),
        *,
        always: bool = False,
    ) -> list[list[str]]:
        """Import lines in three groups: standard library, runtime, this package.

        Args:
            used: the names that the module uses.
            own: those of them that it defines itself.
            always: these names are imported whatever the rule says.
        """
        readers = frozenset(self._package.reader_names().values())
        homes: dict[tuple[int, str], list[str]] = {}
        for name in dict.fromkeys(used):
            if name in own:
                continue
            if name in _STANDARD:
                homes.setdefault((0, _STANDARD[name]), []).append(name)
            elif name in _RUNTIME:
                homes.setdefault((1, _RUNTIME_MODULE), []).append(name)
            elif name in self._cardset_functions:
                homes.setdefault((2, ".cardsets"), []).append(name)
            elif name in self._classes or name in readers:
                homes.setdefault((2, ".classes"), []).append(name)
            elif name in ("start", "RESUME"):
                homes.setdefault((2, ".match"), []).append(name)
            elif name == "cardsets":
                homes.setdefault((2, "."), []).append(name)
            elif name == "settle":
                homes.setdefault((2, ".settle"), []).append(name)
        groups: list[list[str]] = []
        for number in range(3):
            lines = [
                _import_line(module, _sorted_names(names), always or not group)
                for (group, module), names in sorted(homes.items())
                if group == number
            ]
            if lines:
                groups.append(lines)
        return groups

    def _rule_name(self) -> str:
        return self._program.rule.name

    def _cardsets(self) -> str:
        made = Functions()
        rule = self._program.rule
        for cardset in rule.cardsets:
            made.add(
                self._emitter.build(cardset.id, self._judgement.bounds[cardset.id])
            )
            body = self._program.compares.get(cardset.id)
            if body is not None:
                name = self._names.compare(cardset.id)
                made.add(self._emitter.compare(name, body, cardset.name, cardset.name))
        for (a, b), id in self._judgement.comparisons.items():
            made.add(
                self._emitter.compare(
                    self._names.comparison(a, b), self._program.comparisons[id], a, b
                )
            )
        made.add(self._judgement.functions())
        used = {**made.used, **dict.fromkeys(_annotated(made.texts, self._names.game))}
        return self._template(
            "functions.py.jinja",
            f"How {self._rule_name()} recognises its cardsets and compares two plays.",
            self._imports(used, self._cardset_functions),
            functions=_stripped(made.texts),
        )

    def _match(self) -> str:
        made, waits = self._emitter.match()
        rows = []
        used = dict(made.used)
        for node, operation, function in waits:
            if isinstance(operation, ir.AskPlay):
                used["PlayWait"] = None
                wait = f"PlayWait({function}, timer={operation.timer})"
            else:
                assert isinstance(operation, ir.AskChoice)
                used["ChoiceWait"] = None
                options = (
                    f", options={_tuple(operation.options)}"
                    if operation.options
                    else ""
                )
                if operation.regions:
                    spelled = [literal(name) for name in operation.regions]
                    options += f", regions=({_listed(spelled)})"
                wait = f"ChoiceWait({function}, timer={operation.timer}{options})"
            rows.append(
                {"node": literal(node), "wait": wait, "comment": f"[{comment(node)}]"}
            )
        used |= dict.fromkeys(_annotated(made.texts, self._names.game))
        if not rows:
            used["Resume"] = None
        return self._template(
            "functions.py.jinja",
            f"The match flow of {self._rule_name()}, cut where it waits for a player.",
            self._imports(used),
            functions=_stripped(made.texts),
            rows=rows,
            game=self._names.game,
        )

    def _settle(self) -> str:
        made = self._emitter.settle()
        used = {**made.used, **dict.fromkeys(_annotated(made.texts, self._names.game))}
        return self._template(
            "functions.py.jinja",
            f"How {self._rule_name()} settles one player: his result.",
            self._imports(used),
            functions=_stripped(made.texts),
        )

    def _class_module(self) -> str:
        used: dict[str, None] = dict.fromkeys(
            ("Final", "TypeAlias", "Game", "Play", "PlayerBase", "TableBase")
        )
        classes = [self._class(owner, used) for owner in ("card", "player", "table")]
        readers, reads_used = reader_texts(self._package)
        used |= reads_used
        axes = [
            {
                "factors": _tuple(values),
                "comment": comment(name),
                "identifier": self._axis(name),
            }
            for name, values in deck_axes(self._program.rule)
        ]
        if axes:
            used["product"] = None
        own = self._classes | frozenset(self._package.reader_names().values())
        return self._template(
            "classes.py.jinja",
            f"Card, player and table of {self._rule_name()}, with their methods.",
            self._imports(used, own),
            classes=classes,
            game=self._names.game,
            axes=axes,
            unpacked=_listed([str(one["identifier"]) for one in axes]),
            arguments=", ".join(["number", *self._stored_axes()]),
            nothing=", ".join("0" for _ in range(1 + len(self._card_parameters()))),
            readers=_stripped(readers),
        )

    def _axis(self, name: str) -> str:
        """What a factor of the deck's product is called: a parameter of `Card`; one that no card stores is dropped."""
        return self._names.properties("card").get(name, "_")

    def _stored_axes(self) -> list[str]:
        stored = self._names.properties("card")
        axes = deck_axes(self._program.rule)
        return [stored[name] for name, _ in axes if name in stored]

    def _card_parameters(self) -> list[str]:
        stored = {one.name for one in self._program.stored["card"] if one.is_declared}
        return [
            one.name for one in self._program.rule.card.properties if one.name in stored
        ]

    def _class(self, owner: str, used: dict[str, None]) -> dict[str, object]:
        names = self._names.properties(owner)
        parameters = self._card_parameters() if owner == "card" else []
        properties = [
            {
                "identifier": names[one.name],
                "literal_identifier": literal(names[one.name]),
                "literal": literal(one.name),
                "start": names[one.name] if one.name in parameters else one.start,
                "is_respelled": names[one.name] != one.name,
            }
            for one in self._program.stored[owner]
        ]
        base = {"card": "CardBase", "player": "PlayerBase", "table": "TableBase"}[owner]
        if owner == "card" and self._program.assigned["card"]:
            base = "AssignableCard"
        used[base] = None
        has_restore = bool(properties) and base != "CardBase"
        respelled = [one for one in properties if one["is_respelled"]]
        if has_restore or respelled:
            used["Mapping"] = None
        if respelled:
            used["ClassVar"] = None
        methods = Functions()
        for key, method in self._program.methods.items():
            if key[0] == owner:
                methods.add(self._emitter.method(method))
        used.update(methods.used)
        return {
            "name": owner.capitalize(),
            "base": base,
            "properties": properties,
            # other bases have slots of their own
            "slots": _listed(
                [
                    *([literal("id")] if base == "CardBase" else []),
                    *(literal(names[one.name]) for one in self._program.stored[owner]),
                ]
            ),
            "parameters": {
                "card": ", id: int"
                + "".join(f", {names[one]}: int" for one in parameters),
                "player": ", seat: int",
                "table": "",
            }[owner],
            "start": {
                "CardBase": "self.id = id",
                "AssignableCard": "super().__init__(id)",
                "PlayerBase": "super().__init__(seat)",
                "TableBase": "super().__init__()",
            }[base],
            "value_items": [
                *([] if owner == "card" else ["**super().values()"]),
                *(f"{one['literal']}: self.{one['identifier']}" for one in properties),
            ],
            "respelled": respelled,
            "has_restore": has_restore,
            "number": self._card_number() if owner == "card" else "",
            "methods": _stripped(methods.texts),
        }

    def _judged_by(self) -> str | None:
        """The tuple of the attributes that judging reads of cards, or None."""
        names = judged_by(self._program)
        if names is None:
            return None
        return (
            f"({_listed([literal(self._names.card_attribute(one)) for one in names])})"
        )

    def _judging(self) -> list[str]:
        """What a package is told of how its cards are judged, and what it must know besides; the rest is the default."""
        judgement = self._judgement
        judged = self._judged_by()
        # by the module's name: the package's own `recognize` and `beats` are those that check what they are given
        recognize = "recognize_in" if judgement.recognize_in else "recognize"
        beats = "beats_in" if judgement.beats_in else "beats"
        lengths = None if judgement.lengths is None else _tuple(judgement.lengths)
        told = {
            recognize: f"cardsets.{recognize}",
            beats: f"cardsets.{beats}",
            "lengths": lengths or "None",
            "judged_by": judged,
            "in_any_order": "True" if judgement.in_any_order else None,
            "assigns_hand_sizes": (
                "True" if HAND_SIZE in self._program.assigned["player"] else None
            ),
            "effort": str(judgement.effort) if judgement.effort > 1 else None,
        }
        return [f"{name}={value}" for name, value in told.items() if value is not None]

    def _card_number(self) -> str:
        name = card_number_property(self._program.rule)
        if name is None:
            return "0"
        return (
            "self.id" if name == "id" else f"self.{self._names.property('card', name)}"
        )

    def _init(self) -> str:
        rule = self._program.rule
        judgement = self._judgement
        players = (
            "any number of players"
            if rule.players is None
            else f"{rule.players} players"
        )
        if rule.players == 1:
            players = "one player"
        used = [
            "Package",
            "Card",
            "Player",
            "Table",
            "Played",
            "new_deck",
            "NO_CARD",
            "NO_PLAYER",
            "start",
            "RESUME",
            "settle",
            "cardsets",
        ]
        exported = [
            "PACKAGE",
            "Card",
            "Player",
            "Table",
            "arrange",
            "beats",
            "match_from_json",
        ]
        return self._template(
            "package.py.jinja",
            f"{rule.name}, for {players}.",
            self._imports(used, always=True),
            name=literal(rule.name),
            players=rule.players,
            judging=self._judging(),
            cardsets=[
                {
                    "id": literal(one.id),
                    "name": literal(one.name),
                    "properties": _listed(
                        [literal(name) for name in sorted(one.properties)]
                    ),
                    "lengths": _lengths(judgement.bounds[one.id]),
                }
                for one in rule.cardsets
            ],
            exported=[*exported, "new_match", "recognize", "replay"],
        )


@cache
def _environment() -> jinja2.Environment:
    """The skeletons, each compiled once."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("dealwright", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )


def _import_line(module: str, names: Sequence[str], is_settled: bool) -> str:
    """An import, as black will leave it.

    Unless the list is settled, it changes with every helper that a function begins to need: then each name has a line, the
    only one too, so that one more is a line more.
    """
    if is_settled:
        return f"from {module} import {', '.join(names)}"
    listed = "".join(f"    {name},\n" for name in names)
    return f"from {module} import (\n{listed})"


def _lengths(bounds: Bounds) -> str:
    lengths = bounds.accepted_lengths()
    return "None" if lengths is None else _tuple(lengths)


def _tuple(values: Sequence[int]) -> str:
    return f"({_listed([str(one) for one in values])})"


def _listed(items: Sequence[str]) -> str:
    """The inside of a tuple."""
    return f"{', '.join(items)}{',' if len(items) == 1 else ''}"


def _sorted_names(names: Iterable[str]) -> list[str]:
    """Names in the order of import sorters: constants, classes, functions; each by code point."""
    return sorted(
        names,
        key=lambda name: (
            0 if name.isupper() else 1 if name[:1].isupper() else 2,
            name,
        ),
    )


def _stripped(texts: Sequence[str]) -> list[str]:
    """Texts of functions as skeletons take them: those say what stands between two functions."""
    return [text.rstrip("\n") for text in texts]


def _annotated(texts: Sequence[str], game: str) -> list[str]:
    """The names that stand in the signatures of these functions; the constants in front of them have none."""
    found = []
    for text in texts:
        if not text.startswith("def "):
            continue
        signature = text.partition(":\n")[0]
        found += [
            one
            for one in ("Hand", "Played", "Next", "Never", game)
            if one in _words(signature)
        ]
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(
        "".join(
            one if one.isidentifier() or one.isdigit() else " " for one in text
        ).split()
    )
