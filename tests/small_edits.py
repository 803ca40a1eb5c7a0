"""Small edits of a rule, each at every place of it where it fits, with the lines of the package that it may change.

An editor looks through a rule and offers edits; an offer is called to get the rule before and after. So the tests can
count the places, take some of them or all, and copy a rule only for those. Edits know the format only, nothing of the
compiler.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from keyword import iskeyword
from typing import Any, TypeAlias

from tests import rule_changes
from tests.rule_changes import Flow, design

Json: TypeAlias = Any

WAITS = (21, 22)
STEPS = (1, 2, 4, 19, 20)
JUMPS = ("next", "next_true", "next_false")
KINDS = {17: "match", 23: "settle", 25: "method", 27: "build", 29: "compare"}
"""What kind of flow starts with which component."""
ENDS = {"match": 18, "settle": 24, "method": 26, "build": 28, "compare": 30}
"""Which component ends it."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A rule before and after one edit, and what the edit is about.

    `lines` may change, for each place in a changed function at which one of the nodes `written` stands if some are given,
    and two more for each line of the old texts that contains the word `counted`. A function, method or table is concerned
    if it stands in `regions`, if it contains one of `words`, or if it is in `file` and one of its comments names one of
    `nodes`.

    What an edit of control may change besides (`tests.test_small_diffs` counts it in the texts): `inserted` is the node
    that stands on an edge now, `behind` the node that the edge comes from, `before` the one that it leads to; `beyond`
    names what control comes to behind an inserted wait, up to the next waits and ends, which are among it.
    """

    place: str
    old: Json
    new: Json
    lines: int
    file: str = ""
    nodes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    counted: str = ""
    written: tuple[str, ...] = ()
    flow: int = -1
    inserted: str = ""
    behind: str = ""
    before: str = ""
    beyond: tuple[str, ...] = ()


Offer: TypeAlias = Callable[[], Edited]
Editor: TypeAlias = Callable[[Json], Iterator[Offer]]


# -- finding places


def content(node: Json) -> Json:
    """The content of a node that has fields."""
    return node["content"]


def node(type: int, **fields: Json) -> Json:
    """A node as the format writes it."""
    return {"type": type, "content": fields}


def flows(rule: Json) -> list[tuple[str, Flow]]:
    """The flows of a rule that are written, with the files that they end up in."""
    sections = design(rule)
    found = [("settle.py", sections["end_flow"]), ("match.py", sections["match_flow"])]
    for owner in sections["classes"].values():
        for method in (owner.get("methods") or {}).values():
            found.append(("classes.py", method["flow"]))
    for cardset in sections["cardsets"].values():
        found.append(("cardsets.py", cardset["build_flow"]))
        found.append(("cardsets.py", cardset.get("compare_flow") or {}))
    for one in (sections.get("cardset_comparisons") or {}).values():
        found.append(("cardsets.py", one.get("compare_flow") or {}))
    return [(file, flow) for file, flow in found if flow]


def kind_of(flow: Flow) -> str:
    """What kind of flow it is: "match", "settle", "method", "build" or "compare"."""
    return KINDS[flow["1"]["type"]]


def holder(flow: Flow, id: str, jump: str) -> Json:
    """The object in which a node keeps that jump, which may be its content or itself."""
    given = flow[id].get("content") or {}
    return given if jump in given else flow[id]


def edges(flow: Flow) -> Iterator[tuple[str, str, str]]:
    """The jumps of a flow: from which node, which way out, to which node."""
    for id in flow:
        for jump in JUMPS:
            target = holder(flow, id, jump).get(jump)
            if isinstance(target, str) and target in flow:
                yield id, jump, target


def targets(flow: Flow, id: str) -> list[str]:
    """Where control may go from a node, through a wait too."""
    return [target for source, _, target in edges(flow) if source == id]


def _reads(flow: Flow, id: str) -> list[str]:
    """The nodes that a node refers to, without jumps, as often as it does."""
    given, type = flow[id].get("content") or {}, flow[id]["type"]
    fields = rule_changes.FIELDS.get(type, ())
    if type == 6 and given.get("operator"):
        fields = ("ident",)
    read = [given.get(field) for field in fields if field not in JUMPS]
    read += given.get("parameter", ()) if type == 1 else ()
    return [one for one in read if isinstance(one, str) and one in flow]


def _times_read(flow: Flow, reader: str, id: str) -> int:
    """How often the formula of a node is written out in that of another one."""
    if reader == id:
        return 1
    return sum(_times_read(flow, one, id) for one in _reads(flow, reader))


def _users(flow: Flow, id: str) -> dict[str, int]:
    """The nodes on the path whose formulas need a node, and how often."""
    on_path = {"1", *(target for _, _, target in edges(flow))}
    times = {one: _times_read(flow, one, id) for one in flow if one in on_path}
    return {one: count for one, count in times.items() if count}


def _needs_size(flow: Flow, id: str) -> bool:
    return flow[id]["type"] == 7 or any(
        _needs_size(flow, one) for one in _reads(flow, id)
    )


# -- edits of values


def constant(rule: Json) -> Iterator[Offer]:
    """A number is another one, as wide as it was; not the number of cards that a cardset has."""
    for number, (file, flow) in enumerate(flows(rule)):
        for id, one in flow.items():
            key = {8: "value", 10: "rval", 14: "rval"}.get(one["type"])
            if key is None or type(content(one).get(key)) is not int:
                continue
            users = _users(flow, id)
            is_size = kind_of(flow) == "build" and any(
                _needs_size(flow, user) for user in users
            )
            if users and not is_size:
                yield partial(_constant, rule, number, file, id, key, users)


def _constant(
    rule: Json, number: int, file: str, id: str, key: str, users: dict[str, int]
) -> Edited:
    new = copy.deepcopy(rule)
    given = content(flows(new)[number][1][id])
    given[key] += -1 if given[key] % 10 == 9 else 1
    lines, nodes = 2 * max(users.values()), tuple(users)
    return Edited(f"{file} {id}", rule, new, lines, file, nodes, written=nodes)


def property_renamed(rule: Json) -> Iterator[Offer]:
    """A property has another name of the same width, everywhere."""
    for part in ("table", "player", "card"):
        owner = design(rule)["classes"][part]
        for section in ("user_properties", "default_properties"):
            for name in owner.get(section) or {}:
                yield partial(_property_renamed, rule, name)


def _property_renamed(rule: Json, name: str) -> Edited:
    new = copy.deepcopy(rule)
    other = name[:-1] + ("甲" if ord(name[-1]) > 127 else "q")
    for owner in design(new)["classes"].values():
        for part in ("default_properties", "user_properties"):
            given = owner.get(part) or {}
            owner[part] = {
                other if key == name else key: one for key, one in given.items()
            }
    for flow, _ in rule_changes.flows(new):
        for one in flow.values():
            _rename(content(one), name, other)
    lines = 3 if iskeyword(name) else 0  # how a keyword is respelled
    return Edited(name, rule, new, lines, words=(name, other), counted=name)


def _rename(given: Json, name: str, other: str) -> None:
    for key, value in given.items():
        if key in ("property", "name", "prop_name") and value == name:
            given[key] = other
        for one in value if isinstance(value, list) else ():
            if isinstance(one, dict):
                _rename(one, name, other)


# -- edits of control


def check(rule: Json) -> Iterator[Offer]:
    """A branch stands on an edge; its other side leads to an end, one that is there or one of its own.

    In a build flow, which is what checks are for, that end refuses, and the question is about the first card.
    """
    for number in range(len(flows(rule))):
        yield from _checks(rule, number, _ask_what_is_at_hand)


def check_of_some_card(rule: Json) -> Iterator[Offer]:
    """The same in build flows only, asking of all cards, whatever their order and number, if one of them is low."""
    for number, (_, flow) in enumerate(flows(rule)):
        if kind_of(flow) == "build":
            yield from _checks(rule, number, _ask_some_card)


Question: TypeAlias = Callable[[Json, Flow], str]
"""Adds what it needs to a flow of a rule; the node that is true or false."""


def _checks(rule: Json, number: int, question: Question) -> Iterator[Offer]:
    flow = flows(rule)[number][1]
    for edge in edges(flow):
        if _refuses(flow, edge[2]):
            continue  # whoever is refused is refused
        known = [one for one in flow if _may_fail_to(flow, one) and one != edge[2]]
        # a method that returns a formula has none other of that kind to return
        fresh = ["failed"] if not _returns_formula(flow) else []
        for failed in [*known[:1], *fresh]:
            for is_kept in (True, False):
                yield partial(_check, rule, number, edge, failed, is_kept, question)


def _may_fail_to(flow: Flow, id: str) -> bool:
    kind = kind_of(flow)
    return flow[id]["type"] == ENDS[kind] and (kind != "build" or _refuses(flow, id))


def _refuses(flow: Flow, id: str) -> bool:
    return flow[id]["type"] == 28 and not content(flow[id]).get("result")


def _returns_formula(flow: Flow) -> bool:
    given = (one["content"].get("return") for one in flow.values() if one["type"] == 26)
    return any(isinstance(one, str) and one in flow for one in given)


def _check(
    rule: Json,
    number: int,
    edge: tuple[str, str, str],
    failed: str,
    is_kept: bool,
    question: Question,
) -> Edited:
    new = copy.deepcopy(rule)
    file, flow = flows(new)[number]
    id, jump, then = edge
    if failed == "failed":
        flow[failed] = _end_of(flow)
    ways = (then, failed) if is_kept else (failed, then)
    holder(flow, id, jump)[jump] = "checked"
    asked = question(new, flow)
    flow["checked"] = node(16, condition=asked, next_true=ways[0], next_false=ways[1])
    place = f"{kind_of(flow)} {id} {'=' if is_kept else '/'}> {then} | {failed}"
    return Edited(
        place,
        rule,
        new,
        2,
        file,
        (id, "checked"),
        flow=number,
        inserted="checked",
        behind=id,
        before=then,
    )


def _end_of(flow: Flow) -> Json:
    kind = kind_of(flow)
    if kind == "build":
        return node(28, result=0, properties={})
    return copy.deepcopy(
        next(one for one in flow.values() if one["type"] == ENDS[kind])
    )


def _ask_what_is_at_hand(rule: Json, flow: Flow) -> str:
    """Whether an integer is low for which no function needs another parameter."""
    kind = kind_of(flow)
    if kind == "build":
        flow["top"] = node(5, selection="cards", index=0)
        asked = node(6, operator=1, ident="top", property=_card_property(rule))
    elif kind in ("match", "settle"):
        asked = node(6, operator=0, ident="table_0", property="player_index")
    else:
        asked = node(8, value=7)
    return _ask_if_low(flow, asked)


def _ask_some_card(rule: Json, flow: Flow) -> str:
    asked = node(6, operator=2, ident="cards", property=_card_property(rule))
    low = _ask_if_low(flow, asked)
    flow["some"] = node(11, operator=0, set="cards", component=low)
    return "some"


def _ask_if_low(flow: Flow, asked: Json) -> str:
    flow["asked"] = asked
    flow["low"] = node(14, operator=2, lval="asked", rval=50)
    return "low"


def _card_property(rule: Json) -> str:
    return next(iter(design(rule)["classes"]["card"]["default_properties"]))


def node_in_the_middle(rule: Json) -> Iterator[Offer]:
    """An assignment stands on an edge of the match flow, the settlement or a method that has effects."""
    for number, (_, flow) in enumerate(flows(rule)):
        kind = kind_of(flow)
        has_effects = any(one["type"] in (4, 19, 20) for one in flow.values())
        if kind in ("match", "settle") or (kind == "method" and has_effects):
            for edge in edges(flow):
                yield partial(_node_in_the_middle, rule, number, edge)


def _node_in_the_middle(rule: Json, number: int, edge: tuple[str, str, str]) -> Edited:
    new = copy.deepcopy(rule)
    file, flow = flows(new)[number]
    id, jump, then = edge
    flow["noted"] = node(4, component="kept", rvalue=7, next=then)
    # what no formula of the flow reads
    kept = "cur_max" if kind_of(flow) == "settle" else "settlement_index"
    flow["kept"] = node(6, operator=0, ident="table_0", property=kept)
    holder(flow, id, jump)[jump] = "noted"
    return Edited(
        f"{kind_of(flow)} {id} -> {then}",
        rule,
        new,
        1,
        file,
        (id, "noted"),
        flow=number,
        inserted="noted",
        behind=id,
        before=then,
    )


def retargeted(rule: Json) -> Iterator[Offer]:
    """One way out of a branch that led to an end leads to another one, which is there or is new.

    Not where a branch refuses by the number of cards: that number stands in tables too.
    """
    for number, (_, flow) in enumerate(flows(rule)):
        ends = [one for one in flow if flow[one]["type"] == ENDS[kind_of(flow)]]
        for edge in edges(flow):
            id, _, was = edge
            is_size = kind_of(flow) == "build" and _needs_size(flow, id)
            if flow[id]["type"] == 16 and was in ends and not is_size:
                for instead in ["instead", *ends]:
                    if instead not in targets(flow, id):
                        yield partial(_retargeted, rule, number, edge, instead)


def _retargeted(
    rule: Json, number: int, edge: tuple[str, str, str], instead: str
) -> Edited:
    new = copy.deepcopy(rule)
    file, flow = flows(new)[number]
    id, jump, was = edge
    if instead == "instead":
        flow[instead] = copy.deepcopy(flow[was])
    holder(flow, id, jump)[jump] = instead
    nodes = (id, was, instead)
    return Edited(
        f"{kind_of(flow)} {id} -> {was} | {instead}",
        rule,
        new,
        2,
        file,
        nodes,
        flow=number,
        inserted=instead,
        behind=id,
        before=instead,
    )


def wait(rule: Json) -> Iterator[Offer]:
    """A wait stands on an edge of the match flow: a function, and a row, which for a choice has three lines."""
    for number, (_, flow) in enumerate(flows(rule)):
        if kind_of(flow) == "match":
            for edge in edges(flow):
                for type in WAITS:
                    yield partial(_wait, rule, number, edge, type)


def _wait(rule: Json, number: int, edge: tuple[str, str, str], type: int) -> Edited:
    new = copy.deepcopy(rule)
    file, flow = flows(new)[number]
    id, jump, then = edge
    flow["once_more"] = node(type, timer=20, next=then)
    if type == 22:
        content(flow["once_more"])["options"] = [{"name": "yes", "value": 1}]
    holder(flow, id, jump)[jump] = "once_more"
    words = ("after_play_once_more", "after_choice_once_more")
    return Edited(
        f"{id} -> {then} {type}",
        rule,
        new,
        4 + (3 if type == 22 else 1),
        file,
        (id, "once_more"),
        words,
        flow=number,
        inserted="once_more",
        behind=id,
        before=then,
        beyond=tuple(_up_to_waits(flow, then)),
    )


def is_end(flow: Flow, id: str) -> bool:
    """Whether the match flow ends or waits at a node."""
    return flow[id]["type"] in (18, *WAITS)


def _up_to_waits(flow: Flow, start: str) -> dict[str, None]:
    """The nodes that control comes to from one on, up to the next waits and ends, which are among them."""
    found: dict[str, None] = {}
    pending = [start]
    while pending:
        id = pending.pop()
        if id not in found:
            found[id] = None
            pending += [] if is_end(flow, id) else targets(flow, id)
    return found


# -- edits of the whole rule


def with_a_cardset(rule: Json) -> Json:
    """The rule with one more cardset, tried last."""
    made = copy.deepcopy(rule)
    cardsets = design(made)["cardsets"]
    cardsets[str(max(map(int, cardsets)) + 1)] = {
        "name": "Added",
        "properties": {},
        "build_flow": {
            "1": node(27, next="two"),
            "two": node(16, condition="pair", next_true="yes", next_false="no"),
            "pair": node(14, operator=0, lval="how_many", rval=2),
            "how_many": node(7, selection="cards"),
            "yes": node(28, result=1, properties={}),
            "no": node(28, result=0, properties={}),
        },
        "compare_flow": {},
        "successors": [],
    }
    return made


TABLES = (
    "__init__.py:PACKAGE",
    "cardsets.py:recognize",
    "cardsets.py:beats",
)
"""What lists all cardsets."""


A_CARDSET = 5 + 1 + 3 + 2
"""The lines of a cardset: its function, its row, how it is recognised where its size is new, and the list of sizes."""


def cardset_added(rule: Json) -> Iterator[Offer]:
    """One more cardset."""
    words = ("build_Added",)
    yield lambda: Edited(
        "", rule, with_a_cardset(rule), A_CARDSET, words=words, regions=TABLES
    )


def cardset_removed(rule: Json) -> Iterator[Offer]:
    """The cardset that has been added is gone again."""
    words = ("build_Added",)
    yield lambda: Edited(
        "", with_a_cardset(rule), rule, A_CARDSET, words=words, regions=TABLES
    )


def keys_reordered(rule: Json) -> Iterator[Offer]:
    """Keys, nodes and cardsets in another order."""
    new, choose = copy.deepcopy(rule), random.Random(1)
    for change in (
        rule_changes.shuffled_fields,
        rule_changes.shuffled_nodes,
        rule_changes.shuffled_cardsets,
        rule_changes.shuffled_methods,
    ):
        new = change(new, choose)
    assert json.dumps(new) != json.dumps(rule)
    yield lambda: Edited("", rule, new, 0)


def moved_on_the_canvas(rule: Json) -> Iterator[Offer]:
    """Every node somewhere else, and what else the builder's editor keeps."""
    new = rule_changes.drawn_on_a_canvas(copy.deepcopy(rule), random.Random(1))
    yield lambda: Edited("", rule, new, 0)


EDITORS: tuple[Editor, ...] = (
    constant,
    check,
    check_of_some_card,
    node_in_the_middle,
    retargeted,
    wait,
    property_renamed,
    cardset_added,
    cardset_removed,
    keys_reordered,
    moved_on_the_canvas,
)
