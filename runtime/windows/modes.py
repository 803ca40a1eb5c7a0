"""A rule mode: all windows of a game, its locks and forced claims, read from one JSON document.

    mode("SBR_2025", base, {"response_windows": {"after_discard": {"arbiter": {"winners": {"HU": "all"}}}}})

One base document and named changes to it, merged as JSON merge patches (RFC 7396) are; windows and actions may be
written as objects by their names, so that a change can reach one of them. The engine never asks for a mode's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from dealwright.runtime.errors import shown
from dealwright.runtime.windows.locks import MissedClaim, read_lock
from dealwright.runtime.windows.reading import Place
from dealwright.runtime.windows.spec import (
    ForcedClaim,
    SpecProblem,
    SpecRefused,
    WindowSpec,
)
from dealwright.runtime.windows.spec_read import read_forced, read_spec

MISSED: Final = "missed_"
"""Members of a mode's document that start with this are locks."""


@final
@dataclass(frozen=True, slots=True)
class RuleMode:
    """A mode.

    Attributes:
        name: its name.
        windows: its windows by their triggers.
        locks: its missed-claim locks.
        game: settings of the game's own, which this package does not read.
    """

    name: str
    windows: Mapping[str, WindowSpec]
    locks: tuple[MissedClaim, ...]
    game: Mapping[str, object]

    def window(self, trigger: str) -> WindowSpec | None:
        """The spec of the window that opens on `trigger`, or None if the mode has none."""
        return self.windows.get(trigger)


def merged(base: object, change: object) -> object:
    """`base` with a JSON merge patch applied; neither is changed. null takes a member out."""
    if not isinstance(change, Mapping):
        return change
    result = dict(base) if isinstance(base, Mapping) else {}
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def rule_mode(name: str, document: object, *changes: object) -> RuleMode:
    """The mode that a document describes.

    Args:
        name: what the mode is called, in windows and audits.
        document: JSON: `response_windows`, and if wanted `emits` (the triggers that the game has), `forced_claim`,
            locks (`missed_win`, …) and `game`.
        changes: merge patches, applied one after another.

    Raises:
        SpecRefused: with all that is wrong with any part of it.
    """
    for change in changes:
        document = merged(document, change)
    problems: list[SpecProblem] = []
    place = Place(document, "", problems)
    locks = [key for key in place.fields if key.startswith(MISSED)]
    place.known(
        "response_windows", "emits", "forced_claim", "game", "note", *sorted(locks)
    )
    forced = _forced(place)
    windows: dict[str, WindowSpec] = {}
    for window in place.items("response_windows", "id"):
        trigger = window.fields.get("trigger")
        spec = read_spec(
            window, name, tuple(each[1:] for each in forced if trigger in each[0])
        )
        if spec is not None:
            _add(windows, spec, window, place)
    missed = [_lock(place, key, windows) for key in locks]
    game = place.child("game").fields
    if problems:
        raise SpecRefused(tuple(problems))
    return RuleMode(name, windows, tuple(lock for lock in missed if lock), game)


def _forced(place: Place) -> list[tuple[tuple[str, ...], Place, ForcedClaim]]:
    """The forced claims with the triggers that each is for; the document has one or a list of them."""
    given = place.fields.get("forced_claim", [])
    path = f"{place.path}/forced_claim"
    items = (
        [
            Place(item, f"{path}/{index}", place.problems)
            for index, item in enumerate(given)
        ]
        if isinstance(given, list)
        else [place.child("forced_claim")]
    )
    return [
        (item.names("triggers", ("DISCARD",)), item, read_forced(item))
        for item in items
    ]


def _add(
    windows: dict[str, WindowSpec], spec: WindowSpec, window: Place, place: Place
) -> None:
    """Take a window in, unless it could be open beside another or would never open."""
    if spec.trigger in windows:
        window.complain(
            "trigger",
            "windows_overlap",
            f"the windows {shown(windows[spec.trigger].id)} and {shown(spec.id)} would be open together",
            "make them one window, or give them different triggers",
        )
    emitted = place.names("emits")
    if "emits" in place.fields and spec.trigger not in emitted:
        window.complain(
            "trigger",
            "trigger_never_emitted",
            f"the game never emits {shown(spec.trigger)}",
            "name one of its events, or add the event to emits",
        )
    windows.setdefault(spec.trigger, spec)


def _lock(
    place: Place, key: str, windows: Mapping[str, WindowSpec]
) -> MissedClaim | None:
    given = place.child(key)
    lock = read_lock(given)
    names = {action.name for spec in windows.values() for action in spec.actions}
    if lock is not None and lock.action not in names:
        given.misfit(
            "action",
            f"no window has the action {shown(lock.action)}",
            "name one that has",
        )
    return lock
