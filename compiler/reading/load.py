"""JSON to model: the five sections of a rule file, with all errors of shape and structure reported.

In goes a parsed `Source`, out comes a `model.Rule` with what could be understood, so that later checks can tell their
problems in the same run; callers ask the reporter whether it may be compiled. What the contract accepts without
complaint (section 1) is accepted here. Nothing is said here about what flows mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import ROOT, Pointer
from dealwright.compiler.diagnostics.reporter import Place, Reporter, quote
from dealwright.compiler.reading.load_flow import load_flow, require_start
from dealwright.compiler.reading.load_missing import report_no_flow
from dealwright.compiler.reading.load_parts import PROPERTY_FORM, JsonObject, Parts
from dealwright.compiler.reading.shapes import (
    A_LIST,
    AN_OBJECT,
    LONG_INTEGER,
    TEXT,
    describe,
    is_blank,
    is_integer,
    mend,
)
from dealwright.compiler.reading.shapes_keys import (
    CARDSET,
    CLASS,
    CLASSES,
    COMPARISON,
    DESIGN,
    METHOD,
    Keys,
)
from dealwright.compiler.reading.source import MAX_DIGITS, Source
from dealwright.compiler.rule.model import (
    Cardset,
    Comparison,
    Flow,
    FlowKind,
    Method,
    Rule,
    RuleClass,
)

# every seat costs memory and a turn of the settlement, which a rule that states a billion of them would never end
MOST_PLAYERS = 1_000

_DOCUMENT = Keys(("design",), ("meta",))

# how the entries of sections are written
_METHOD_FORM = '{"parameters": {…}, "flow": {…}}'
_CARDSET_FORM = '{"name": "…", "build_flow": {…}}'
_COMPARISON_FORM = '{"cardsetA": "…", "cardsetB": "…", "compare_flow": {…}}'
_SECTIONS = (*DESIGN.needed, *DESIGN.others)


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
            mend=mend(document, AN_OBJECT),
        )
        return None
    loader = _Loader(reporter)
    is_bare = any(section in document for section in _SECTIONS)
    if not is_bare:
        document = dict(loader.respelled(document, ROOT, _DOCUMENT))
    has_metadata = not is_bare and "design" in document
    reporter.root = ROOT / "design" if has_metadata else ROOT
    meta = loader.mapping(document, "meta", ROOT) if has_metadata else {}
    design = loader.mapping(document, "design", ROOT) if has_metadata else document
    if reporter.has_hole(reporter.root):
        return None
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
    design = loader.respelled(design, root, DESIGN)
    written = loader.mapping(design, "classes", root)
    for key in written:
        loader.name(key, root / "classes", Words("a class", "类"))
    classes = loader.respelled(written, root / "classes", CLASSES)
    if not loader.reporter.has_hole(root / "classes"):
        loader.require_classes(classes, root / "classes")
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
class _Loader(Parts):
    """Reads the sections; every method reports what is wrong and gives what could be understood."""

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

    def require_classes(self, classes: JsonObject, pointer: Pointer) -> None:
        """Report, once, the classes that are not there: at the first of them, or at their section if none is."""
        missing = [name for name in CLASSES.needed if classes.get(name) is None]
        if not missing:
            return
        has_none = len(missing) == len(CLASSES.needed)
        at = pointer if has_none else pointer / missing[0]
        names = [quote(name) for name in missing]
        shown = Words(", ".join(names), "、".join(names))
        self.reporter.report("R111", self.reporter.place(at), names=shown)
        for name in missing[1:]:
            self.reporter.lacks(pointer / name)

    def rule_class(self, classes: JsonObject, name: str) -> RuleClass:
        base = self.reporter.root / "classes"
        pointer = base / name
        if classes.get(name) is None:
            # reported as missing, or as what hides all classes
            return RuleClass(name, (), {})
        section = self.respelled(self.mapping(classes, name, base), pointer, CLASS)
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
            self.mapping(section, "methods", pointer), pointer / "methods", _METHOD_FORM
        )
        made = {
            key: self.method(name, key, value, pointer / "methods")
            for key, value in methods.items()
        }
        return RuleClass(name, tuple(properties.values()), made)

    def method(self, owner: str, name: str, raw: JsonObject, parent: Pointer) -> Method:
        self.name(name, parent, Words("a method", "方法"))
        pointer = parent / name
        path = f"classes/{owner}/methods/{name}"
        if self.reporter.has_hole(pointer):
            return Method(name, (), None, Flow(path, FlowKind.METHOD, {}))
        raw = self.respelled(raw, pointer, METHOD)
        parameters = tuple(self.mapping(raw, "parameters", pointer))
        for parameter in parameters:
            self.name(parameter, pointer / "parameters", Words("a parameter", "参数"))
        returns = raw.get("returns")
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
        if raw is None or raw == {}:
            report_no_flow(raw, flow, pointer, self.reporter)
        elif isinstance(raw, dict):
            require_start(raw, flow, pointer, self.reporter)
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
        if not section and not self.reporter.has_hole(base):
            self.reporter.report("R112", self.reporter.place(base))
        names: dict[str, str] = {}
        found = [
            self.cardset(id_, raw, base, names)
            for id_, raw in self.entries(section, base, _CARDSET_FORM).items()
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
        path = f"cardsets/{id_}"
        if self.reporter.has_hole(pointer):
            build = Flow(f"{path}/build_flow", FlowKind.BUILD, {})
            return Cardset(id_, "", {}, build, None, ())
        raw = self.respelled(raw, pointer, CARDSET)
        return Cardset(
            id=id_,
            name=self.cardset_name(id_, raw, pointer, names),
            properties=self.cardset_properties(raw, pointer),
            build=self.flow(
                raw, "build_flow", pointer, f"{path}/build_flow", FlowKind.BUILD
            ),
            compare=self.comparison_flow(raw, pointer, f"{path}/compare_flow"),
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
        for key, value in self.entries(section, base, PROPERTY_FORM).items():
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
                self.wrong(pointer / "successors" / str(index), "successors", TEXT, one)
        return tuple(one if isinstance(one, str) else "" for one in value)

    def comparisons(self, section: JsonObject) -> tuple[Comparison, ...]:
        base = self.reporter.root / "cardset_comparisons"
        return tuple(
            self.comparison(id_, raw, base)
            for id_, raw in self.entries(section, base, _COMPARISON_FORM).items()
        )

    def comparison(self, id_: str, raw: JsonObject, base: Pointer) -> Comparison:
        pointer = base / id_
        raw = self.respelled(raw, pointer, COMPARISON)
        flow = self.comparison_flow(
            raw, pointer, f"cardset_comparisons/{id_}/compare_flow"
        )
        return Comparison(
            id_,
            self.text(raw, "cardsetA", pointer),
            self.text(raw, "cardsetB", pointer),
            flow,
        )
