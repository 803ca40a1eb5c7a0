"""Who is asked which action: every audience of an action, every seat that is out, every source, against the words of the
spec read one seat at a time."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import pytest

from dealwright.runtime.windows import (
    PASS,
    ResponseActionWindowBuilder,
    Shape,
    TableView,
    Trigger,
    rule_mode,
)
from dealwright.runtime.windows.presets import V1
from dealwright.runtime.windows.spec import WindowSpec

SEATS = (0, 1, 2, 3)
OUT: tuple[tuple[int, ...], ...] = ((), (1,), (2,), (1, 2), (3, 0))
POOR = (3,)
"""Seats in the role "poor"."""
LISTS: tuple[list[str], ...] = ([], ["next"], ["poor"], ["source"], ["next", "poor"])


def spec_of(exclude: list[str], only: list[str]) -> WindowSpec:
    """V1 with such an audience for PENG."""
    audience = {"audience": {"exclude": exclude, "only": only}}
    change = {"response_windows": {"after_discard": {"actions": {"PENG": audience}}}}
    return rule_mode("V1", V1, change).windows["DISCARD"]


def expected(
    exclude: list[str], only: list[str], source: int, out: Collection[int], wall: int
) -> dict[int, list[str]]:
    """The actions of each seat that is asked, said in the plainest way."""
    after = [seat % 4 for seat in range(source + 1, source + 4)]
    asked = [seat for seat in after if seat not in out]
    found = {}
    for seat in asked:
        roles = {"next"} if seat == asked[0] else set()
        if seat in POOR:
            roles.add("poor")
        actions = ["HU"]
        if wall >= 1:
            actions.append("GANG")
        if not roles & set(exclude) and (not only or roles & set(only)):
            actions.append("PENG")
        found[seat] = [*actions, PASS]
    return found


@pytest.mark.parametrize("only", LISTS, ids=str)
@pytest.mark.parametrize("exclude", LISTS, ids=str)
def test_actions_are_offered_to_their_audience(
    exclude: list[str], only: list[str]
) -> None:
    takes = {"HU": 0, "GANG": 3, "PENG": 2}
    offers = {
        name: lambda table, seat, trigger, count=count: (Shape(("5m",) * count),)
        for name, count in takes.items()
    }
    builder = ResponseActionWindowBuilder(spec_of(exclude, only), offers)
    for source, out, wall in product(SEATS, OUT, (0, 1, 40)):
        roles = {"won": out, "poor": POOR}
        view = TableView("t1", "r1", SEATS, 1, 0, None, roles)
        window = builder.build(view, Trigger("DISCARD", source, "5m", 1, 0, wall))
        offered = {
            each.seat_no: [option.action_type for option in each.options]
            for each in (window.candidates if window else ())
        }
        assert offered == expected(exclude, only, source, out, wall)
        assert window is None or window.audience == tuple(offered)
