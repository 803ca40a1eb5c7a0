"""What an author may have meant by a name that names nothing: the `did you mean` of remedies.

Part of the pass `check`. A near name is `Reporter.nearest`'s; besides, this knows what people take for one another:
ids and names of cardsets, a property or method and the class that has it, objects spelled as other languages do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from itertools import chain
from typing import Final

from dealwright.compiler.checks.context import Context, Facts, property_name
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import Reporter, quote
from dealwright.compiler.rule.components import COMPONENTS
from dealwright.compiler.rule.flowgraph import START_ID, classes_by_name
from dealwright.compiler.rule.model import FlowKind, Node, Rule
from dealwright.compiler.rule.references import (
    A_WORDS,
    B_WORDS,
    CURRENT_PLAYER_WORD,
    JUDGED_WORDS,
    OWNER_WORD,
    pair_names,
)

_NUMBERED: Final = re.compile(
    r"(player|card|table|玩家|卡牌|牌桌)s?[\s_-]*(?:[(\[]\s*)?([0-9]{1,9})\s*[)\]]?",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
_WORD_AND_NUMBER: Final = re.compile(r"([^\W\d_]{3,12})[\s_-]*([0-9]{1,9})")
_KINDS: Final = ("player", "card", "table")
_CLASSES: Final = {"玩家": "player", "卡牌": "card", "牌桌": "table"}
_CURRENT: Final = frozenset(
    {"player", "players", "currentplayer", "current_player", "me", "self", "this", "当前玩家", "本玩家"}
)  # fmt: skip
# fields of collections and objects, where a number means nothing
_NO_NUMBERS: Final = frozenset({"selection", "set", "card_set", "ident", "object"})
_TABLE: Final = frozenset({"table", "tables", "the_table", "牌桌", "桌子"})


def meant_object(context: Context, text: str) -> str | Words | None:
    """The object that a text names in another spelling: `player 1`, `Table_0`, `card[3]`, `table`, `plyer_1`."""
    plain = _plain(text)
    found = _NUMBERED.fullmatch(plain)
    if found is not None:
        kind = _CLASSES.get(found[1], found[1].lower())
        name = _numbered(context, kind, int(found[2]))
        return None if name == text.strip() else name
    if plain.lower() in _TABLE:
        return "table_0"
    if plain.lower() in _CURRENT or "".join(plain.split()) == CURRENT_PLAYER_WORD:
        return CURRENT_PLAYER_WORD
    found = _WORD_AND_NUMBER.fullmatch(plain)
    if found is None or not context.reporter.is_guessing:
        return None
    near = context.reporter.nearest(found[1].lower(), _KINDS)
    return None if near is None else _numbered(context, near, int(found[2]))


def _numbered(context: Context, kind: str, number: int) -> str | Words | None:
    """The object of a class with this number, if there may be one: whoever counts players from 1 means the one before."""
    if kind == "table":
        return "table_0"
    if kind == "player" and context.players is not None:
        if number > context.players:
            return None
        if number == context.players or _counts_from_1(context):
            name = quote(f"player_{number - 1}")
            return Words(
                f"{name} (seats are numbered from 0)", f"{name}（座位从 0 编号）"
            )
    return f"{kind}_{number}"


def _counts_from_1(context: Context) -> bool:
    """Whether a flow names as many players as there are, however it spells them, but none with the number 0."""
    if not context.seats_named:
        context.seats_named.append(_seats_named(context))
    (seats,) = context.seats_named
    return context.players in seats and 0 not in seats


def _seats_named(context: Context) -> frozenset[int]:
    """The numbers that a flow gives to players."""
    texts = (
        one
        for node in context.flow.nodes.values()
        for value in node.fields.values()
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, str)
    )
    found = (_NUMBERED.fullmatch(_plain(one)) for one in texts)
    return frozenset(
        int(one[2]) for one in found if one and one[1].lower() in ("player", "玩家")
    )


def _plain(text: str) -> str:
    """Full-width letters and digits in their usual form, without spaces around."""
    return unicodedata.normalize("NFKC", text).strip()


def meant_reference(
    context: Context, node: Node, field: str, text: str
) -> str | Words | None:
    """The number, node, parameter, keyword or object that a reference in a field of a node may have meant.

    A node counts as used then. One that has no value, or needs this one, cannot be meant.
    """
    nodes, plain = context.flow.nodes, _plain(text)
    if plain in nodes and plain not in (text, START_ID):
        context.suggested.add(plain)
        return plain
    if _WHOLE.fullmatch(plain) and field not in _NO_NUMBERS:
        # in quotes it may be a node: "1" always is
        return Words(f"the number {plain} without quotes", f"不加引号的数字 {plain}")
    if not context.reporter.is_guessing:
        return meant_object(context, text)
    found = context.reporter.nearest(text, chain(nodes, _words(context)))
    if found is not None and found in nodes:
        if not _may_stand(context, node, nodes[found]):
            return None
        context.suggested.add(found)
    return found or meant_object(context, text)


def _may_stand(context: Context, node: Node, value: Node) -> bool:
    """Whether a node can be what another one reads."""
    component = COMPONENTS.get(value.type)
    has_value = component is not None and component.has_value
    return has_value and node.id not in context.with_needs((value.id,))


def meant_read(facts: Facts, text: str) -> Words | None:
    """A component that reads a property, if a reference has the name of one instead of a node's."""
    name = text.strip()
    for owner in ("table", "player", "card"):
        if name in facts.properties(owner):
            shown = quote(name)
            return Words(
                f"a component 6 that reads {shown} of the class {owner}",
                f"读取类 {owner} 的 {shown} 的组件 6",
            )
    return None


def _words(context: Context) -> list[str]:
    kind = context.flow.kind
    words = {*JUDGED_WORDS, CURRENT_PLAYER_WORD}
    if kind is FlowKind.COMPARE:
        words |= A_WORDS | B_WORDS
    if kind is FlowKind.METHOD:
        words |= {OWNER_WORD}
    plain = sorted(word for word in words if " " not in word)
    return [*context.scope.parameters, *plain, "table_0"]


def meant_target(context: Context, text: str) -> str | None:
    """The property of the flow that an assignment may have meant by a text; it counts as used from now on."""
    nodes = context.flow.nodes
    known = [name for name, node in nodes.items() if node.type == 6]
    found = context.reporter.nearest(text, known)
    if found is not None:
        context.suggested.add(found)
    return found


def near_property(
    reporter: Reporter,
    facts: Facts,
    name: str,
    classes: Iterable[str],
    others: Iterable[str] = (),
) -> str | None:
    """The near name among the properties of these classes and `others`."""
    if not reporter.is_guessing:
        return None
    known = chain.from_iterable(
        sorted(facts.properties(one)) for one in sorted(classes)
    )
    return reporter.nearest(name, chain(known, sorted(others)))


def meant_property(
    reporter: Reporter,
    facts: Facts,
    name: str,
    classes: Collection[str],
    others: Iterable[str] = (),
) -> str | Words | None:
    """The property that was meant: a near one of these classes or of `others`, or one of that name elsewhere."""
    found = near_property(reporter, facts, name, classes, others)
    if found is not None or not reporter.is_guessing:
        return found
    for owner in ("card", "player", "table"):
        if owner not in classes and name in facts.properties(owner):
            return Words(
                f"that of the class {owner}, which has {quote(name)}",
                f"类 {owner} 的 {quote(name)}",
            )
    return None


def meant_pair(context: Context, node: Node) -> str | None:
    """The special pair that a read of a start or wait may have meant by its property."""
    start, name = context.target(node.fields.get("ident")), property_name(node)
    if start is None or not name:
        return None
    return context.reporter.nearest(name, pair_names(start, context.scope))


def meant_method(
    reporter: Reporter, rule: Rule, owner: str, name: str
) -> str | Words | None:
    """The method that was meant: a near one of the class, or one of that name in another class."""
    classes = classes_by_name(rule)
    found = reporter.nearest(name, classes[owner].methods)
    if found is not None:
        return found
    for other, declared in classes.items():
        if name in declared.methods:
            return Words(
                f"that of the class {other}, which has {quote(name)}",
                f"类 {other} 的 {quote(name)}",
            )
    return None


def meant_cardset_id(reporter: Reporter, rule: Rule, text: str) -> str | Words | None:
    """The id of the cardset that has this text as its name, or has a near id or name."""
    if not reporter.is_guessing:
        return None
    by_name = {cardset.name: cardset.id for cardset in rule.cardsets if cardset.name}
    name = text.strip() if text.strip() in by_name else None
    if name is None:
        near = reporter.nearest(text, [one.id for one in rule.cardsets])
        if near is not None:
            return near
        name = reporter.nearest(text, by_name)
    if name is None:
        return None
    return Words(
        f"{quote(by_name[name])}, the id of {quote(name)}",
        f"{quote(by_name[name])}（{quote(name)} 的 id）",
    )


def meant_cardset_name(reporter: Reporter, rule: Rule, text: str) -> str | Words | None:
    """The name of the cardset that has this text as its id, or has a near name."""
    cardset = rule.cardset(text.strip())
    if cardset is not None and cardset.name:
        return Words(
            f"{quote(cardset.name)}, the name of {quote(cardset.id)}",
            f"{quote(cardset.name)}（{quote(cardset.id)} 的名字）",
        )
    return reporter.nearest(text, [one.name for one in rule.cardsets if one.name])
