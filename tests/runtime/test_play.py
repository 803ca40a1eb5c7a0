"""The properties of a play, which all plays that one node accepts share, cannot be changed; copies of them can."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

import pytest

from dealwright.runtime import NO_PROPERTIES, Properties

CHANGES: dict[str, Callable[[Any], object]] = {
    "__setitem__": lambda one: one.__setitem__("points", 2),
    "__delitem__": lambda one: one.__delitem__("points"),
    "__ior__": lambda one: one.__ior__({"points": 2}),
    "clear": lambda one: one.clear(),
    "pop": lambda one: one.pop("points", None),
    "popitem": lambda one: one.popitem(),
    "setdefault": lambda one: one.setdefault("more", 1),
    "update": lambda one: one.update(points=2),
}


def test_every_way_to_change_a_dict_is_tried() -> None:
    """What a mapping that can be changed has, and one that cannot be lacks, and `|=`."""
    more = set(dir(MutableMapping)) - set(dir(Mapping))
    ways = {one for one in more if not one.startswith("_MutableMapping")}
    assert CHANGES.keys() == {*ways, "__ior__"}


@pytest.mark.parametrize("way", CHANGES)
@pytest.mark.parametrize("made", [{"points": 1}, {}], ids=["some", "none"])
def test_properties_refuse_to_be_changed(way: str, made: dict[str, int]) -> None:
    properties = Properties(made)
    with pytest.raises(TypeError, match="cannot be changed"):
        CHANGES[way](properties)
    assert properties == made


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        dict,
        lambda one: one.copy(),
        lambda one: pickle.loads(pickle.dumps(one)),
        lambda one: one | {},
    ],
)
@pytest.mark.parametrize("properties", [Properties({"points": 1}), NO_PROPERTIES])
def test_copies_are_ordinary(
    copied: Callable[[Any], Any], properties: Properties
) -> None:
    made = copied(properties)
    assert type(made) is dict
    assert made == properties
    made["points"] = 3
    assert properties in ({"points": 1}, {})
