"""JSON to model: the five sections of a rule file, with all errors of shape and structure reported.

In goes a parsed `Source`, out comes a `model.Rule` with what could be understood, so that later checks can tell their
problems in the same run; callers ask the reporter whether it may be compiled. What the contract accepts without
complaint (section 1) is accepted here. Nothing is said here about what flows mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeAlias, final

from dealwright.compiler.codes import Words
from dealwright.compiler.diagnostics import Place, Reporter
from dealwright.compiler.load_flow import load_flow, require_start
from dealwright.compiler.model import (
    Cardset,
    Comparison,
    Flow,
    FlowKind,
    Method,
    Property,
    Rule,
    RuleClass,
)
from dealwright.compiler.objects import KEPT, VIRTUAL
from dealwright.compiler.pointer import ROOT, Pointer
from dealwright.compiler.shapes import (
    A_LIST,
    AN_OBJECT,
    LONG_INTEGER,
    describe,
    is_blank,
    is_integer,
)
from dealwright.compiler.source import MAX_DIGITS, Source

# every seat costs memory and a turn of the settlement, which a rule that states a billion of them would never end
MOST_PLAYERS = 1_000
# each is written out several times, and formatting takes most of the time there is
MOST_PROPERTIES = 1_000

JsonObject: TypeAlias = Mapping[str, Any]

_AN_INTEGER = Words("an integer", "整数")
_TEXT = Words("text", "文本")
_SECTIONS = ("classes", "cardsets", "cardset_comparisons", "match_flow", "end_flow")


def load(
    source: Source,
    reporter: Reporter,
    *,
    name: str | None = None,
    players: int | None = None,
) -> Rule | None:
    """The rule of a parsed file.

    Arguments: `name` and `players`, from the command line, declare the name and the number of players instead of the
    file; the file's name is the fallback name. Returns None if the document is no object. Parts that are wrong are left
    out of the rule after a report: a rule with errors must not be compiled. Source: contract, section 1.
    """
    document = source.value
    if not isinstance(document, dict):
        place = reporter.place(ROOT)
        reporter.report(
            "R117",
            place,
            field=Words("the document", "整个文档"),
            wanted=AN_OBJECT,
            found=describe(document),
        )
        return None
    has_metadata = "design" in document and not any(
        section in document for section in _SECTIONS
    )
    reporter.root = ROOT / "design" if has_metadata else ROOT
    loader = _Loader(reporter)
    meta = loader.mapping(document, "meta", ROOT) if has_metadata else {}
    design = loader.mapping(document, "design", ROOT) if has_metadata else document
    for part, pointer in ((document, ROOT), (design, reporter.root)):
        if "extensions" in part:
            place = reporter.place(pointer / "extensions", key=True)
            reporter.report("R402", place)
    declared = (
        loader.players(meta) if players is None else _given_players(players, reporter)
    )
    given = (
        name
        if name is not None and name.strip()
        else loader.text(meta, "name", ROOT / "meta")
    )
    return _rule(
        loader,
        design,
        given or PurePath(source.file).stem,
        loader.text(meta, "description", ROOT / "meta"),
        declared,
    )


def _given_players(players: int, reporter: Reporter) -> int | None:
    if 1 <= players <= MOST_PLAYERS:
        return players
    reporter.report("R118", Place(reporter.file, ROOT, 1, 1))
    return None


def _rule(
    loader: _Loader,
    design: JsonObject,
    name: str,
    description: str,
    players: int | None,
) -> Rule:
    root = loader.reporter.root
    classes = loader.mapping(design, "classes", root)
    for key in classes:
        loader.name(key, root / "classes", Words("a class", "类"))
    return Rule(
        name=name,
        description=description,
        players=players,
        player=loader.rule_class(classes, "player"),
        card=loader.rule_class(classes, "card"),
        table=loader.rule_class(classes, "table"),
        cardsets=loader.cardsets(loader.mapping(design, "cardsets", root)),
        comparisons=loader.comparisons(
            loader.mapping(design, "cardset_comparisons", root)
        ),
        match_flow=loader.flow(
            design, "match_flow", root, "match_flow", FlowKind.MATCH
        ),
        end_flow=loader.flow(design, "end_flow", root, "end_flow", FlowKind.END),
    )


def _recognition_order(cardset: Cardset) -> tuple[bool, int]:
    """Numeric ids first and by number; sorting keeps document order otherwise (contract, section 6)."""
    is_number = (
        cardset.id.isascii() and cardset.id.isdigit() and len(cardset.id) <= MAX_DIGITS
    )
    return (not is_number, int(cardset.id) if is_number else 0)


@final
@dataclass(frozen=True, slots=True)
class _Loader:
    """Reads the sections; every method reports what is wrong and gives what could be understood."""

    reporter: Reporter

    def wrong(self, pointer: Pointer, field: str, wanted: Words, value: object) -> None:
        self.reporter.report(
            "R117",
            self.reporter.place(pointer),
            field=field,
            wanted=wanted,
            found=describe(value),
        )

    def mapping(
        self, container: JsonObject, key: str, pointer: Pointer
    ) -> dict[str, Any]:
        """The object under a key; missing or null is an empty one."""
        value = container.get(key)
        if value is None:
            return {}
        if isinstance(value, dict):
            return value
        self.wrong(pointer / key, key, AN_OBJECT, value)
        return {}

    def entries(
        self, section: JsonObject, pointer: Pointer
    ) -> dict[str, dict[str, Any]]:
        """The entries of a section that are objects, the others being reported."""
        for key, value in section.items():
            if not isinstance(value, dict):
                self.wrong(pointer / key, key, AN_OBJECT, value)
        return {key: value for key, value in section.items() if isinstance(value, dict)}

    def text(self, container: JsonObject, key: str, pointer: Pointer) -> str:
        value = container.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return value if value.strip() else ""
        self.wrong(pointer / key, key, _TEXT, value)
        return ""

    def integer(self, container: JsonObject, key: str, pointer: Pointer) -> int:
        value = container.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is not None:
            self.wrong(pointer / key, key, _AN_INTEGER, value)
        return 0

    def name(self, key: str, pointer: Pointer, what: Words) -> None:
        """Report a blank name that is a key of the object at `pointer`."""
        if not key.strip():
            place = self.reporter.place(pointer / key, key=True)
            self.reporter.report("R115", place, what=what)

    def players(self, meta: JsonObject) -> int | None:
        value = meta.get("playerCount")
        if value is None:
            return None
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and 1 <= value <= MOST_PLAYERS
        ):
            return value
        self.reporter.report("R118", self.reporter.place(ROOT / "meta" / "playerCount"))
        return None

    def rule_class(self, classes: JsonObject, name: str) -> RuleClass:
        base = self.reporter.root / "classes"
        if classes.get(name) is None:
            self.reporter.report("R111", self.reporter.place(base), name=name)
            return RuleClass(name, (), {})
        section, pointer = self.mapping(classes, name, base), base / name
        default = self.mapping(section, "default_properties", pointer)
        user = self.mapping(section, "user_properties", pointer)
        properties = self.properties(default, pointer / "default_properties")
        # a user property takes the place of a default one of the same name, as merging dicts does
        properties |= self.properties(user, pointer / "user_properties")
        self.shadows(name, default, user, pointer / "user_properties")
        self.count_properties(
            properties, pointer, Words(f"the class {name}", f"类 {name}")
        )
        methods = self.entries(
            self.mapping(section, "methods", pointer), pointer / "methods"
        )
        made = {
            key: self.method(name, key, value, pointer / "methods")
            for key, value in methods.items()
        }
        return RuleClass(name, tuple(properties.values()), made)

    def count_properties(
        self, properties: Mapping[str, object], pointer: Pointer, what: Words
    ) -> None:
        if len(properties) > MOST_PROPERTIES:
            place = self.reporter.place(pointer, key=True)
            self.reporter.report("R133", place, what=what, limit=MOST_PROPERTIES)

    def shadows(
        self, owner: str, default: JsonObject, user: JsonObject, pointer: Pointer
    ) -> None:
        for name in user:
            if name in VIRTUAL[owner]:
                code = "R319"
            elif name in default:
                code = "R318"
            elif name in KEPT[owner]:
                code = "R317"
            else:
                continue
            self.reporter.report(
                code,
                self.reporter.place(pointer / name, key=True),
                name=name,
            )

    def properties(self, section: JsonObject, pointer: Pointer) -> dict[str, Property]:
        for key in section:
            self.name(key, pointer, Words("a property", "属性"))
        entries = self.entries(section, pointer)
        return {
            key: self.property(key, value, pointer / key)
            for key, value in entries.items()
        }

    def property(self, name: str, raw: JsonObject, pointer: Pointer) -> Property:
        type_ = raw.get("type")
        if type_ not in ("int", "enum"):
            shown = type_ if isinstance(type_, str) else describe(type_)
            self.reporter.report(
                "R116", self.reporter.place(pointer / "type"), name=name, type=shown
            )
        config = raw.get("config")
        values: tuple[int, ...] = ()
        if type_ == "enum":
            values = self.enum_values(config, pointer)
        elif type_ == "int" and config:
            self.reporter.report(
                "R320", self.reporter.place(pointer / "config"), name=name
            )
        return Property(
            name,
            "enum" if type_ == "enum" else "int",
            self.integer(raw, "default", pointer),
            values,
        )

    def enum_values(self, config: object, pointer: Pointer) -> tuple[int, ...]:
        if config is None:
            return ()
        if not isinstance(config, list):
            self.wrong(pointer / "config", "config", A_LIST, config)
            return ()
        listed = (option.get("value") for option in config if isinstance(option, dict))
        return tuple(
            value
            for value in listed
            if isinstance(value, int) and not isinstance(value, bool)
        )

    def method(self, owner: str, name: str, raw: JsonObject, parent: Pointer) -> Method:
        self.name(name, parent, Words("a method", "方法"))
        pointer = parent / name
        parameters = tuple(self.mapping(raw, "parameters", pointer))
        for parameter in parameters:
            self.name(parameter, pointer / "parameters", Words("a parameter", "参数"))
        returns = raw.get("returns")
        path = f"classes/{owner}/methods/{name}"
        flow = self.flow(
            raw, "flow", pointer, path, FlowKind.METHOD, frozenset(parameters)
        )
        return Method(
            name,
            parameters,
            returns if isinstance(returns, str) and returns.strip() else None,
            flow,
        )

    def flow(
        self,
        container: JsonObject,
        key: str,
        parent: Pointer,
        path: str,
        kind: FlowKind,
        parameters: frozenset[str] = frozenset(),
    ) -> Flow:
        """A flow that must be there; without nodes if it cannot be read."""
        raw, pointer = container.get(key), parent / key
        flow = load_flow(raw, pointer, path, kind, self.reporter, parameters)
        if raw is None or isinstance(raw, dict):
            require_start(flow, pointer, self.reporter)
        return flow

    def comparison_flow(
        self, container: JsonObject, parent: Pointer, path: str
    ) -> Flow | None:
        """The `compare_flow` of a cardset or comparison; a missing or empty one is not written (decision 22)."""
        if container.get("compare_flow") in (None, {}):
            return None
        return self.flow(container, "compare_flow", parent, path, FlowKind.COMPARE)

    def cardsets(self, section: JsonObject) -> tuple[Cardset, ...]:
        base = self.reporter.root / "cardsets"
        if not section:
            self.reporter.report("R112", self.reporter.place(base))
        names: dict[str, str] = {}
        found = [
            self.cardset(id_, raw, base, names)
            for id_, raw in self.entries(section, base).items()
        ]
        return tuple(sorted(found, key=_recognition_order))

    def cardset(
        self, id_: str, raw: JsonObject, base: Pointer, names: dict[str, str]
    ) -> Cardset:
        pointer = base / id_
        self.name(id_, base, Words("a cardset id", "牌型 id"))
        if LONG_INTEGER.search(id_):
            place = self.reporter.place(pointer, key=True)
            self.reporter.report(
                "R131", place, field=Words("a cardset id", "牌型 id"), limit=MAX_DIGITS
            )
        return Cardset(
            id=id_,
            name=self.cardset_name(id_, raw, pointer, names),
            properties=self.cardset_properties(raw, pointer),
            build=self.flow(
                raw, "build_flow", pointer, f"cardsets/{id_}/build_flow", FlowKind.BUILD
            ),
            compare=self.comparison_flow(raw, pointer, f"cardsets/{id_}/compare_flow"),
            successors=self.successors(raw, pointer),
        )

    def cardset_name(
        self, id_: str, raw: JsonObject, pointer: Pointer, names: dict[str, str]
    ) -> str:
        name = raw.get("name")
        if is_blank(name):
            self.reporter.report("R113", self.reporter.place(pointer / "name"))
        text = self.text(raw, "name", pointer)
        if text in names:
            self.reporter.report(
                "R114",
                self.reporter.place(pointer / "name"),
                name=text,
                other=names[text],
            )
        elif text:
            names[text] = id_
        return text

    def cardset_properties(self, raw: JsonObject, pointer: Pointer) -> dict[str, int]:
        section = self.mapping(raw, "properties", pointer)
        base = pointer / "properties"
        self.count_properties(section, base, Words("the cardset", "牌型"))
        for key in section:
            self.name(key, base, Words("a property", "属性"))
        kept = {}
        for key, value in self.entries(section, base).items():
            # only integer properties exist on a cardset; properties of another declared type are left out
            if value.get("type") in (None, "int", "enum") or is_integer(
                value.get("default")
            ):
                kept[key] = self.integer(value, "default", base / key)
        return kept

    def successors(self, raw: JsonObject, pointer: Pointer) -> tuple[str, ...]:
        value = raw.get("successors")
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong(pointer / "successors", "successors", A_LIST, value)
            return ()
        for index, one in enumerate(value):
            if not isinstance(one, str):
                self.wrong(
                    pointer / "successors" / str(index), "successors", _TEXT, one
                )
        return tuple(one if isinstance(one, str) else "" for one in value)

    def comparisons(self, section: JsonObject) -> tuple[Comparison, ...]:
        base = self.reporter.root / "cardset_comparisons"
        return tuple(
            self.comparison(id_, raw, base)
            for id_, raw in self.entries(section, base).items()
        )

    def comparison(self, id_: str, raw: JsonObject, base: Pointer) -> Comparison:
        pointer = base / id_
        flow = self.comparison_flow(
            raw, pointer, f"cardset_comparisons/{id_}/compare_flow"
        )
        return Comparison(
            id_,
            self.text(raw, "cardsetA", pointer),
            self.text(raw, "cardsetB", pointer),
            flow,
        )
