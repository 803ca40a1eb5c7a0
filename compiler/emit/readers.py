"""Functions that read a property of a value whose kind is known only at run time.

Such values come from methods that take or return now a card, now a number; rules hardly ever have them. Each property
read from one gets a function among the classes, which tells the kinds apart (contract, section 5, type 6).
"""

from __future__ import annotations

from dealwright.compiler.emit.package import Package
from dealwright.compiler.emit.text import literal
from dealwright.compiler.rule.objects import (
    DECK,
    PLAY_CARDS,
    PLAY_NUMBER,
    PLAYERS,
    SETTLEMENT_INDEX,
    is_content,
)
from dealwright.compiler.rule.references import own_property


def reader_texts(package: Package) -> tuple[list[str], dict[str, None]]:
    """The reader functions that the package asked for, and the names they use."""
    names = package.reader_names()
    used: dict[str, None] = {}
    texts = [
        _reader(package, function, name, is_mapped, used)
        for (name, is_mapped), function in names.items()
    ]
    return texts, used


def _reader(
    package: Package, function: str, name: str, is_mapped: bool, used: dict[str, None]
) -> str:
    used["Value"] = None
    lines = [f"def {function}(game: {package.names.game}, value: Value) -> Value:"]
    lines += _single(package, "Card", name)
    lines += _single(package, "Player", name)
    lines += [
        "    if isinstance(value, Table):",
        f"        return {_of_table(package, name)}",
    ]
    lines += ["    if isinstance(value, Play):", f"        return {_of_play(name)}"]
    if is_mapped or is_content(name):
        lines += ["    if isinstance(value, list):"]
    if is_mapped:
        lines += _each(package, "Card", name) + _each(package, "Player", name)
        lines += ["        if not value:", "            return value"]
    if is_content(name):
        lines += [
            "        if value and isinstance(value[0], int):",
            "            return value",
        ]
        lines += ["        return len(value)"]
    lines += ["    return value"]
    return "\n".join(lines) + "\n"


def _member(package: Package, owner: str, variable: str, name: str) -> str:
    if name == "id":
        return f"max({variable}.seat, 0)" if owner == "player" else f"{variable}.id"
    names = package.names.properties(owner)
    return f"{variable}.{names[name]}" if name in names else "0"


def _single(package: Package, class_: str, name: str) -> list[str]:
    return [
        f"    if isinstance(value, {class_}):",
        f"        return {_member(package, class_.lower(), 'value', name)}",
    ]


def _each(package: Package, class_: str, name: str) -> list[str]:
    owner = class_.lower()
    return [
        f"        if value and isinstance(value[0], {class_}):",
        f"            return [{_member(package, owner, owner, name)} for {owner} in value if isinstance({owner}, {class_})]",
    ]


def _of_table(package: Package, name: str) -> str:
    if name == DECK:
        return "list(game.deck)"
    if name == PLAYERS:
        return "game.players"
    if name == SETTLEMENT_INDEX:
        return "game.settlement_index"
    names = package.names.properties("table")
    return f"value.{names[name]}" if name in names else "0"


def _of_play(name: str) -> str:
    if name in PLAY_CARDS:
        return "value.cards"
    if name in PLAY_NUMBER:
        return "value.number"
    return f"value.properties.get({literal(own_property(name))}, 0)"
