"""The five kinds of flow: a random method, build, compare, match and end flow each.

All are written from their ends backwards, by `Flow`; what differs is how they may end and how they begin.
"""

from __future__ import annotations

from typing import Any

from tests.rulegen.builder import Builder, Ref
from tests.rulegen.choose import chance, pick, weighted
from tests.rulegen.flows import Flow
from tests.rulegen.names import METHOD_NAMES
from tests.rulegen.world import MethodSketch, World


def write_method(
    world: World,
    owner: str,
    name: str,
    parameters: list[tuple[str, str]],
    *,
    pure: bool,
) -> dict[str, Any]:
    """A method of a class: adds it to the world's methods and returns it as JSON."""
    usable = tuple((word, kind) for word, kind in parameters if word not in ("cards",))
    builder = Builder(world, "method", parameters=usable, owner=owner, cost_limit=60)
    returns = pick(world.choose, ("int", "bool", "card", "player", "cards", "none"))
    flow: Flow

    def end() -> str:
        how = weighted(world.choose, [(12, "value"), (1, ""), (1, "void")])
        value: Ref = how
        if how == "value" and returns != "none":
            made = flow.values.ref(returns, 2)
            value = (
                made.ref
                if made.cost <= builder.cost_limit
                else flow.values.plain(returns).ref
            )
        elif how == "value":
            value = ""
        id = builder.add(26, {"return": value})
        builder.targets.append(id)
        return id

    flow = Flow(builder, pure=pure, end=end)
    entry = flow.chain(world.choose.integer(0, 4), flow.feature(end()))
    if not pure:
        entry = flow.assign_any(entry)
    cost = 3 + sum(value.cost for value in builder.values) // 2
    world.methods.append(
        MethodSketch(
            owner,
            name,
            tuple(parameters),
            returns,
            pure,
            min(cost, 200) if pure else cost,
        )
    )
    declared = {"int": "int", "bool": "int", "card": "enum"}.get(returns)
    return {
        "parameters": {word: {"type": "int"} for word, _ in parameters},
        "returns": declared,
        "flow": builder.finish(entry),
    }


def write_build(world: World, properties: list[str]) -> tuple[dict[str, Any], int]:
    """A build flow and about what one judgement costs: mostly for a number of cards, then something about them."""
    builder = Builder(world, "build", cost_limit=40)
    choose = world.choose

    def end(result: int | None = None) -> str:
        result = (
            weighted(choose, [(3, 0), (2, 1), (1, 2)]) if result is None else result
        )
        given: dict[str, Any] = {
            name: choose.integer(0, 5) for name in properties if chance(choose, 50)
        }
        if chance(choose, 10):
            given["extra"] = pick(choose, (7, "text", None, [1]))
        content = (
            {"result": result, "properties": given}
            if given or chance(choose, 70)
            else {"result": result}
        )
        id = builder.add(28, content)
        builder.targets.append(id)
        return id

    flow = Flow(builder, pure=True, end=end)
    entry = flow.chain(choose.integer(0, 3), flow.feature(end(1)))
    if not chance(choose, 20):
        size = (
            flow.values.size(0)
            if chance(choose, 15)
            else flow.values.node(7, {"selection": "cards"}, "int", 2)
        )
        operator = weighted(choose, [(7, 0), (1, 3), (1, 4), (1, 1)])
        right = flow.values.constant(weighted(choose, [(4, 1), (4, 2), (1, 3)]))
        asked = flow.values.node(
            14, {"operator": operator, "lval": size.ref, "rval": right}, "bool", 3
        )
        entry = builder.branch(asked.ref, entry, end(0))
    cost = 2 + sum(value.cost for value in builder.values) // 2
    return builder.finish(entry), min(cost, 150)


def write_compare(world: World) -> dict[str, Any]:
    """A compare flow: every way through it ends in a result, or (a few) none does and it counts as not written."""
    choose = world.choose
    how = weighted(choose, [(10, "whole"), (1, "empty"), (1, "open")])
    if how == "empty":
        return {}
    builder = Builder(world, "compare", cost_limit=100)
    if how == "open":
        return builder.finish(builder.add(7, {"selection": "A"}))

    def end() -> str:
        id = builder.add(
            30, {"result": weighted(choose, [(5, 0), (5, 1), (1, 2), (1, -1)])}
        )
        builder.targets.append(id)
        return id

    flow = Flow(builder, pure=True, end=end)
    left = flow.values.of_value("int", 2)
    right = flow.values.of_value("int", 2)
    asked = flow.values.node(
        14,
        {"operator": choose.integer(0, 4), "lval": left.ref, "rval": right.ref},
        "bool",
        9,
    )
    entry = builder.branch(
        asked.ref, flow.chain(choose.integer(0, 2), flow.feature(end())), end()
    )
    return builder.finish(entry)


def write_end(world: World) -> dict[str, Any]:
    """The settlement of one player, which now and then passes over a seat."""
    builder = Builder(world, "end", cost_limit=300)
    choose = world.choose

    def end() -> str:
        id = builder.add(24, {"result": choose.integer(-2, 5)})
        builder.targets.append(id)
        return id

    flow = Flow(builder, pure=False, end=end)
    entry = flow.chain(choose.integer(0, 4), flow.feature(end()))
    if chance(choose, 15):
        index = flow.of_table("settlement_index")
        following = flow.values.node(
            10,
            {"operator": 0, "lval": index.ref, "rval": choose.integer(1, 2)},
            "int",
            2,
            1,
        )
        entry = builder.branch(
            flow.values.condition(1).ref,
            flow.assign(index.ref, following.ref, entry),
            entry,
        )
    return builder.finish(entry)


def write_match(world: World) -> dict[str, Any]:
    """The match flow: shuffles and deals, then rounds of waits and whatever else, then the settlement."""
    builder = Builder(world, "match", cost_limit=300)
    choose = world.choose
    finish = ""

    def end() -> str:
        nonlocal finish
        if not finish or chance(choose, 20):
            finish = builder.add(18, {})
        return finish

    flow = Flow(builder, pure=False, end=end, waits=True)
    hand = min(world.undealt // world.seats, weighted(choose, [(6, 3), (4, 5), (1, 9)]))
    first = choose.integer(1, hand) if hand > 1 else hand
    world.undealt -= hand * world.seats
    entry = flow.chain(choose.integer(0, 3), end())
    if chance(choose, 45):
        entry = flow.round_until_empty(entry, choose.integer(0, 2))
    else:
        entry = flow.play(flow.rotate(flow.play(entry)))
    entry = flow.chain(choose.integer(0, 4), flow.feature(entry))
    if hand > first:
        entry = flow.deal(hand - first, entry)
    entry = flow.deal(first, entry)
    if chance(choose, 70):
        entry = flow.shuffle(entry)
    return builder.finish(entry)


def new_method(world: World, taken: set[tuple[str, str]]) -> tuple[str, str] | None:
    """The class and name of another method, or None if this draw names one that exists."""
    owner = weighted(world.choose, [(4, "player"), (3, "table"), (2, "card")])
    name = pick(world.choose, METHOD_NAMES)
    return None if (owner, name) in taken else (owner, name)
