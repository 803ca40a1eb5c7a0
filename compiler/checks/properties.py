"""Checks of properties: what is read or filtered by must be declared, what is assigned must be assignable.

Part of the pass `check`; see the contract, sections 1, 2 and 5 (types 2, 4, 6, 20 and 28).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from dealwright.compiler.checks.context import (
    PAIRS,
    Context,
    Facts,
    is_special_pair,
    property_name,
    reads_no_pair,
    result_properties,
    unspaced,
)
from dealwright.compiler.checks.meant import (
    meant_object,
    meant_pair,
    meant_property,
    meant_reference,
    meant_target,
    near_property,
)
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import pointer_token
from dealwright.compiler.diagnostics.reporter import listed, quote
from dealwright.compiler.reading.shapes import is_blank
from dealwright.compiler.rule.components import COMPONENTS
from dealwright.compiler.rule.flowgraph import (
    START_ID,
    class_of,
    classes_by_name,
    reference,
)
from dealwright.compiler.rule.model import Node
from dealwright.compiler.rule.objects import DECK, PLAYERS, VIRTUAL
from dealwright.compiler.rule.operands import operator
from dealwright.compiler.rule.references import (
    CardRef,
    CurrentPlayerRef,
    JudgedCards,
    NodeRef,
    NoReference,
    OwnerRef,
    ParameterRef,
    PlayerRef,
    Reference,
    TableRef,
    UnknownRef,
    resolve_object,
)

_ANY: Final = frozenset({"card", "player", "table"})
_NONE: Final[frozenset[str]] = frozenset()
_KEPT: Final = MappingProxyType(
    {"card": "id", "player": "手牌数", "table": "player_index"}
)
"""A property that each class has where none is declared."""
# names that mean something of their own on collections, cardsets, starts and waits (contract, section 5, type 6)
_SPECIAL: Final = frozenset({"id", "content", "cards", "牌组", "cardsetId", "牌型ID"})
_PAIRED: Final = frozenset(
    {
        "牌桌",
        "用户打出的牌组",
        "用户做出的选择",
        "玩家",
        "调用该方法的对象",
        "传入牌组",
        "牌型A",
        "牌型B",
    }
)


def check_properties(context: Context, facts: Facts) -> None:
    """All checks of the properties that one flow names."""
    # what is refused of a target explains what else there is to say about it
    for node in context.reached():
        if node.type == 4:
            _check_target(context, node)
    for node in context.reached():
        match node.type:
            case 2:
                _check_sort(context, facts, node)
            case 6:
                _check_read(context, facts, node)
            case 20:
                _check_filters(context, facts, node)
            case 28:
                _check_results(context, node)
            case _:
                pass


def _report_undeclared(
    context: Context,
    facts: Facts,
    node: Node,
    field: str,
    name: str,
    owners: frozenset[str],
) -> None:
    """Warn about a property that none of its possible `owners` has, unless it may stand where nothing could be read."""
    if owners & facts.unread:
        return
    others = facts.results if owners == _ANY else _NONE
    # of the elements of a collection the class is given, of the object of a read it may be the wrong one
    find = meant_property if node.type == 6 else near_property
    meant = find(context.reporter, facts, name, owners, others)
    context.report("R316", node, field, meant=meant, name=name)


def _check_read(context: Context, facts: Facts, node: Node) -> None:
    raw = node.fields.get("property")
    name = unspaced(raw) if isinstance(raw, str) else ""
    if not name.strip():
        _check_left_out(context, facts, node)
    elif operator(node) == 0:
        target = resolve_object(node.fields.get("ident"))
        # without an object there is nothing to declare the property in; that has its own warning
        if (
            target is not None
            and name not in facts.properties(class_of(target)) | _SPECIAL
        ):
            owners = frozenset({class_of(target)})
            _report_undeclared(context, facts, node, "property", name, owners)
    elif not _reads_start(context, node) and not _is_known(context, facts, node, name):
        owners = _classes(context, node.fields.get("ident")) or _ANY
        _report_undeclared(context, facts, node, "property", name, owners)


def _check_left_out(context: Context, facts: Facts, node: Node) -> None:
    """Report a property that is left out where surely one object, or each of several, is read: it is 0 of any of them."""
    if context.is_told(node, "property"):
        return
    if reads_no_pair(context, node):
        start = context.target(node.fields.get("ident"))
        assert start is not None
        parameters = sorted(context.scope.parameters) if start.type == 25 else []
        names = listed([*PAIRS[start.type], *parameters])
        value = Words("none (0, false)", "无值（0、假）")
        context.report("R341", node, "property", value=value, names=names)
        return
    owner = _owner_read(context, node)
    if owner is None:
        return
    value = Words("0", "0")
    if operator(node) == 2:
        value = Words("a 0 for each element", "每个元素的 0")
    _report_left_out(context, facts, node, "property", owner, value)


def _report_left_out(
    context: Context, facts: Facts, node: Node, field: str, owner: str, value: Words
) -> None:
    """Report a property of a class that is left out, and what is read instead."""
    declared = [one.name for one in classes_by_name(facts.rule)[owner].properties]
    names = listed(declared or [_KEPT[owner]])
    context.report("R341", node, field, value=value, names=names)


def _owner_read(context: Context, node: Node) -> str | None:
    """The class of which a node reads a property, of one object or of each element; None if that is not sure."""
    ident = node.fields.get("ident")
    if operator(node) == 0:
        target = resolve_object(ident)
        return None if target is None else class_of(target)
    if operator(node) == 2:
        return _owner_of_elements(context, ident)
    source = context.target(ident)
    if source is not None and source.type == 5:
        return _owner_of_elements(context, source.fields.get("selection"))
    classes = _classes(context, ident)
    return next(iter(classes)) if len(classes) == 1 else None


def _owner_of_elements(context: Context, raw: object) -> str | None:
    """The class of what a reference to a collection gives; None if that is not sure."""
    sorts: set[str] = set()
    source = context.target(raw)
    while source is not None and source.type == 2 and source.id not in sorts:
        sorts.add(source.id)
        raw = source.fields.get("selection")
        source = context.target(raw)
    if source is None:
        is_judged = isinstance(reference(raw, context.scope), JudgedCards)
        return "card" if is_judged else None
    if source.type in (21, 27):
        return "card"
    if source.type != 6:
        return None
    name = property_name(source)
    if operator(source) == 0:
        is_table = isinstance(resolve_object(source.fields.get("ident")), TableRef)
        return {DECK: "card", PLAYERS: "player"}.get(name) if is_table else None
    start = context.target(source.fields.get("ident"))
    is_pair = start is not None and is_special_pair(context, start, name)
    return "card" if is_pair and name in ("用户打出的牌组", "传入牌组") else None


def _reads_start(context: Context, node: Node) -> bool:
    """Whether what is none of its pairs is read of the flow's own start: that has a warning of its own."""
    start = context.target(node.fields.get("ident"))
    return (
        start is not None
        and start.id == START_ID
        and not is_special_pair(context, start, property_name(node))
    )


def _is_known(context: Context, facts: Facts, node: Node, name: str) -> bool:
    """Whether a property read through operator 1 or 2 can mean something, whatever the value turns out to be."""
    classes = _classes(context, node.fields.get("ident"))
    if name in _SPECIAL | _PAIRED or name in context.scope.parameters:
        return True
    stem, _, rest = name.partition(".")
    if stem in ("牌型A", "牌型B"):
        return rest in facts.results | _SPECIAL
    if classes and classes != _ANY:
        return any(name in facts.properties(owner) for owner in classes)
    return name in facts.results or any(
        name in facts.properties(owner) for owner in _ANY
    )


def _check_sort(context: Context, facts: Facts, node: Node) -> None:
    known = facts.properties("card") | facts.properties("player")
    for index, name in _names(node, "properties", "name"):
        field, owners = f"properties/{index}/name", frozenset({"card", "player"})
        if not name.strip():
            owner = _owner_of_elements(context, node.fields.get("selection")) or "card"
            value = Words("0 of everything, and sorts nothing", "0，起不到排序作用")
            _report_left_out(context, facts, node, field, owner, value)
        elif name not in known:
            _report_undeclared(context, facts, node, field, name, owners)


def _check_filters(context: Context, facts: Facts, node: Node) -> None:
    known = facts.properties("card")
    for index, name in _names(node, "prop_pair", "prop_name"):
        # a blank name is no filter
        if name.strip() and name not in known:
            field, owners = f"prop_pair/{index}/prop_name", frozenset({"card"})
            _report_undeclared(context, facts, node, field, name, owners)


def _names(node: Node, field: str, key: str) -> list[tuple[int, str]]:
    items = node.fields.get(field)
    records = enumerate(items) if isinstance(items, list) else ()
    return [
        (index, str(item.get(key) or ""))
        for index, item in records
        if isinstance(item, dict)
    ]


def _check_results(context: Context, node: Node) -> None:
    if context.cardset is None or context.reporter.has_hole(
        context.reporter.root / "cardsets" / context.cardset.id / "properties"
    ):
        return
    for name in result_properties(node):
        if name not in context.cardset.properties:
            field = f"properties/{pointer_token(name)}"
            meant = context.reporter.nearest(name, context.cardset.properties)
            context.report("R316", node, field, meant=meant, name=name)


def _check_target(context: Context, node: Node) -> None:
    """An assignment names a type 6 node that reads a property, which can be assigned, of what may be one object."""
    raw = node.fields.get("component")
    text = raw if isinstance(raw, str) else "" if raw is None else str(raw)
    target = context.target(raw)
    if target is not None and context.is_broken(target):
        return
    if target is None or target.type != 6:
        near = meant_target(context, text) if target is None else None
        found = _no_target(raw, target)
        context.report("R206", node, "component", meant=near, found=found)
    elif not _refused_as_misspelled(context, target):
        _check_assigned(context, node, target, text)


def _no_target(raw: object, target: Node | None) -> Words:
    """What stands where an assignment should name a property."""
    if raw is None:
        return Words("is missing", "缺失")
    if is_blank(raw):
        return Words("is empty", "为空")
    shown = quote(str(raw))
    component = None if target is None else COMPONENTS.get(target.type)
    if component is None:
        return Words(f"is {shown}, which is no node", f"是 {shown}，它不是节点")
    kind, name = component.type, component.name
    return Words(
        f"names {shown}, a component {kind} ({name.en})",
        f"指向 {shown}，它是组件 {kind}（{name.zh}）",
    )


def _check_assigned(context: Context, node: Node, target: Node, text: str) -> None:
    ident, name = target.fields.get("ident"), property_name(target)
    named = resolve_object(ident)
    if operator(target) == 0 and named is None:
        shown = "" if ident is None else str(ident)
        context.report(
            "R212",
            target,
            "ident",
            meant=meant_object(context, shown),
            name=shown,
        )
        return
    classes = _target_classes(context, target)
    if not classes:
        _report_no_object(context, node, target, text)
    elif not name:
        context.report("R207", target, "property", target=text)
    elif any(name in VIRTUAL[owner] for owner in classes):
        context.report("R208", node, "component", name=name)
    elif name == "手牌数" and "player" in classes:
        context.report("R334", node, "component")


def _target_classes(context: Context, target: Node) -> frozenset[str]:
    """The classes of the object whose property a target names; empty if it never is one."""
    ident = target.fields.get("ident")
    if operator(target) != 0:
        return _classes(context, ident)
    named = resolve_object(ident)
    return _NONE if named is None else frozenset({class_of(named)})


def _report_no_object(context: Context, node: Node, target: Node, text: str) -> None:
    """Report a target that is a property of no object: where the chain of references that it begins with breaks off."""
    for reader in context.chain(target):
        if reader.type != 6 or operator(reader) == 0:
            break
        found = reference(reader.fields.get("ident"), context.scope)
        if isinstance(found, UnknownRef | NoReference):
            unknown = found.text if isinstance(found, UnknownRef) else None
            near = (
                None
                if unknown is None
                else meant_reference(context, reader, "ident", unknown)
            )
            context.report("R207", reader, "ident", meant=near, target=text)
            return
        if property_name(reader) and _reads_start(context, reader):
            pair = meant_pair(context, reader)
            context.report("R207", reader, "property", meant=pair, target=text)
            return
    context.report("R207", node, "component", target=text)


def _refused_as_misspelled(context: Context, target: Node) -> bool:
    """Whether a target cannot be assigned because of a misspelled key, which is refused then."""
    has_object = bool(_target_classes(context, target))
    fields = () if has_object and property_name(target) else ("operator", "ident")
    wanted = (*fields, "property") if not property_name(target) else fields
    return any(
        context.reporter.refused_as_misspelled(
            context.reporter.place_in_node(
                target.pointer, context.flow.path, target.id, field
            )
        )
        for field in wanted
    )


def _classes(context: Context, ident: object) -> frozenset[str]:
    """The classes of the one object that a reference may give; empty if it never gives one object."""
    found = reference(ident, context.scope)
    if isinstance(found, NodeRef):
        return _classes_of_node(context, context.flow.nodes[found.id])
    return _classes_of_reference(context, found)


def _classes_of_reference(context: Context, found: Reference) -> frozenset[str]:
    match found:
        case TableRef() | PlayerRef() | CardRef() | CurrentPlayerRef():
            return frozenset({class_of(found)})
        case ParameterRef():
            return _ANY
        case OwnerRef():
            return _owner(context)
        case _:
            return _NONE


def _classes_of_node(context: Context, node: Node) -> frozenset[str]:
    if node.type == 1:
        return _ANY
    if node.type == 5:
        return frozenset({"card", "player"})
    if node.type != 6 or operator(node) == 0:
        return _NONE
    start, name = context.target(node.fields.get("ident")), property_name(node)
    if start is None or not is_special_pair(context, start, name):
        return _NONE
    match start.type:
        case 17:
            return frozenset({"table"})
        case 23:
            return frozenset({"player"})
        case 25:
            # a parameter of that name may shadow the owner, and may hold anything
            return _ANY if name in context.scope.parameters else _owner(context)
        case _:
            return _NONE


def _owner(context: Context) -> frozenset[str]:
    return _NONE if context.owner is None else frozenset({context.owner})
