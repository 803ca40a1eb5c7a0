"""Keys that nobody reads, where one that looks like them is missing: what a slip of the author's fingers leaves.

Unknown keys are allowed everywhere (contract, section 1), so one is mentioned only if a known key of the same object is
not there and looks like it. Used by `load` for the sections, by `load_flow` for nodes and by `shapes` for their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from dealwright.compiler.diagnostics.pointer import Pointer
from dealwright.compiler.diagnostics.reporter import Reporter

# what people and editors write beside the keys of the format
_OWN: Final = frozenset(
    {
        "id", "name", "names", "title", "text", "label", "display", "display_name", "position", "description", "desc",
        "comment", "comments", "note", "notes", "remark", "color", "colour", "icon", "assets", "extensions", "meta",
        "author", "version", "tag", "tags", "x", "y", "width", "height", "size",
    }
)  # fmt: skip
# so many letters of a key are enough to know it by its beginning: `val` for `value`, `params` for `parameters`
_BEGINNING: Final = 3


@final
@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one kind of object that are read: those that it cannot do without, and the others."""

    needed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


SECTIONS: Final = ("classes", "cardsets", "match_flow", "end_flow")
DESIGN: Final = Keys(SECTIONS, ("cardset_comparisons",))
CLASSES: Final = Keys(("player", "card", "table"))
CLASS: Final = Keys((), ("default_properties", "user_properties", "methods"))
PROPERTY: Final = Keys(("type",), ("default", "config"))
# of an int nobody reads a `config`, so none is missing
INT_PROPERTY: Final = Keys(("type",), ("default",))
OPTION: Final = Keys((), ("value",))
METHOD: Final = Keys(("flow",), ("parameters", "returns"))
CARDSET: Final = Keys(
    ("name", "build_flow"), ("properties", "compare_flow", "successors")
)
COMPARISON: Final = Keys((), ("cardsetA", "cardsetB", "compare_flow"))
_OBJECTS: Final = frozenset(
    {*SECTIONS, *DESIGN.others, *CLASSES.needed, *CLASS.others, "flow", "build_flow", "compare_flow", "parameters"}
)  # fmt: skip
_LISTS: Final = frozenset({"config", "successors"})
# what else people call keys that are hardly ever left out on purpose; without `_` and `-`, in small letters
_OTHER_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "next": frozenset({"goto", "jump", "下一步"}),
    "next_true": frozenset({"true", "yes", "then", "iftrue", "ontrue", "真", "是"}),
    "next_false": frozenset({"false", "no", "else", "iffalse", "onfalse", "假", "否"}),
    "operator": frozenset({"运算符", "操作符"}),
    "lval": frozenset({"left", "lhs", "leftvalue", "左值"}),
    "rval": frozenset({"right", "rhs", "rightvalue", "右值"}),
    "rvalue": frozenset({"value", "right", "rhs", "值", "右值"}),
    "condition": frozenset({"if", "test", "when", "条件"}),
    "selection": frozenset({"set", "cards", "collection", "from", "集合"}),
    "set": frozenset({"selection", "cards", "collection", "集合"}),
    "component": frozenset({"condition", "predicate", "target", "目标"}),
    "card_set": frozenset({"cards", "selection", "牌组"}),
    "card_rule": frozenset({"cardset", "cardsetid", "rule", "牌型"}),
    "ident": frozenset({"object", "target", "owner", "对象"}),
    "property": frozenset({"attribute", "属性", "属性名"}),
    "object": frozenset({"ident", "target", "owner", "对象"}),
    "method": frozenset({"function", "func", "方法", "方法名"}),
    "return": frozenset({"result", "value", "返回值"}),
    "result": frozenset({"return", "结果"}),
    "prop_name": frozenset({"name", "property", "prop", "属性", "属性名"}),
    "lower_bound": frozenset({"min", "minimum", "low", "from", "下限"}),
    "upper_bound": frozenset({"max", "maximum", "high", "to", "上限"}),
    "name": frozenset({"propname", "property", "prop", "属性", "属性名"}),
    "config": frozenset({"values", "options", "choices", "items", "enum"}),
    "build_flow": frozenset({"flow", "recognize", "recognise"}),
    "flow": frozenset({"body", "steps", "nodes", "content"}),
}


def misspelled_keys(
    found: Mapping[str, object],
    missing: Iterable[str],
    known: Iterable[str],
    reporter: Reporter,
) -> dict[str, str]:
    """The keys of an object that look like missing ones: by the missing key, the one that stands there.

    Arguments: `found` is the object, `missing` are keys that it does not have and `known` all that are read in it.
    """
    read = frozenset(known)
    unknown = [key for key in found if key not in read]
    looks: dict[str, str] = {}
    for wanted in missing if unknown else ():
        every = [key for key in unknown if _can_be(wanted, found[key])]
        fitting = [key for key in every if key not in _OWN]
        key = (
            reporter.nearest(wanted, fitting)
            or _begun(wanted, fitting)
            or _otherwise(wanted, every)
        )
        if key is not None:
            unknown.remove(key)
            looks[wanted] = key
    return looks


def _can_be(wanted: str, value: object) -> bool:
    """Whether a value may be meant for a key, by its kind."""
    if wanted in _OBJECTS:
        return isinstance(value, dict)
    return wanted not in _LISTS or isinstance(value, list)


def _begun(wanted: str, keys: Iterable[str]) -> str | None:
    for key in keys:
        short, long = sorted((key.lower().rstrip("s"), wanted), key=len)
        if len(short) >= _BEGINNING and long.startswith(short):
            return key
    return None


def _otherwise(wanted: str, keys: Iterable[str]) -> str | None:
    words = _OTHER_WORDS.get(wanted, frozenset())
    plain = str.maketrans("", "", "_-")
    return next((key for key in keys if key.lower().translate(plain) in words), None)


def respelled(
    container: Mapping[str, Any], pointer: Pointer, keys: Keys, reporter: Reporter
) -> Mapping[str, Any]:
    """The object at `pointer` with its needed keys as they should be spelled, after a report.

    A misspelled key that the object cannot do without is refused and read all the same, so that what depends on it is
    not refused too; one that it can do without is warned about and not read.
    """
    known = (*keys.needed, *keys.others)
    missing = [key for key in known if key not in container]
    looks = misspelled_keys(container, missing, known, reporter)
    if not looks:
        return container
    mended = dict(container)
    for wanted, key in looks.items():
        place = reporter.place(pointer / key, key=True)
        if wanted in keys.needed:
            reporter.report("R134", place, key=key, wanted=wanted)
            reporter.read_instead(pointer / wanted, pointer / key)
            mended[wanted] = mended.pop(key)
        else:
            gap = reporter.place(pointer / wanted)
            reporter.misspelled([gap], place, key, wanted)
    return mended
