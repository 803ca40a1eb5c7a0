"""A reply: read from whatever JSON came, in either spelling, and written in the one that is wanted.

`parse_reply` looks at the shape only and knows no hint; `validate` compares what it found with the hint. The union of
the protocol page's spelling and the original server's is read (hints.md, section 2, lines 2 to 5): the method of a
`use` may stand under `method`, that of a `discard` under `action`, targets under `players` or `targets`, and abort
under either key.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from dealwright.runtime.errors import shown
from dealwright.runtime.hints.errors import HintError, Kind, Refusal
from dealwright.runtime.hints.model import ABORT, Action

Dialect: TypeAlias = Literal["spec", "upstream", "extended"]
DIALECTS: Final[tuple[Dialect, ...]] = ("spec", "upstream", "extended")

INT: Final = frozenset({int})
TARGET_KEYS: Final = ("players", "targets")
CHOICE_KEYS: Final = {"select character": "select", "region": "region"}
CARD_KEYS: Final = {"use": "use", "discard": "discard"}
METHOD_KEYS: Final = {"use": ("action", "method"), "discard": ("method", "action")}
PAYLOAD: Final = ("use", "discard", "players", "targets", "select", "region")
LITERALS: Final = frozenset({"select character", "region"})
"""What a client of the original server may put under `action` beside a plain choice; it says nothing new (line 3)."""

ALWAYS_KNOWN: Final = frozenset({"token", "meta"})
KNOWN: Final = {
    "select character": ALWAYS_KNOWN | {"select", "action", "method"},
    "region": ALWAYS_KNOWN | {"region", "action", "method"},
    "use": ALWAYS_KNOWN | {"use", "players", "targets", "action", "method"},
    "discard": ALWAYS_KNOWN | {"discard", "players", "targets", "action", "method"},
}


class Reply(NamedTuple):
    """A reply that a hint allows, the same for every spelling.

    Attributes:
        action: the kind of question that it answers.
        name: the character, the region, the method, "card" for a card's own face, or "abort".
        cards, targets: in the order in which the replier gave them.
        is_abort: whether it gives up; a character may well be called "abort".
    """

    action: Action
    name: str
    cards: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    is_abort: bool = False


class Parsed(NamedTuple):
    """The shape of a reply: as `Reply`, but None for a key that was not there.

    Attributes:
        name_key, target_key: under which key the name and the targets were found, for refusals.
    """

    action: Action
    name: str | None
    cards: tuple[int, ...] | None = None
    targets: tuple[int, ...] | None = None
    is_abort: bool = False
    name_key: str = "method"
    target_key: str = "players"

    @property
    def reply(self) -> Reply:
        """What it says if it is right."""
        return Reply(
            self.action,
            self.name or "",
            self.cards or (),
            self.targets or (),
            self.is_abort,
        )


def abort_reply(action: Action) -> Reply:
    """The reply that gives up."""
    return Reply(action, ABORT, is_abort=True)


# reading


def parse_reply(
    action: Action, body: object, is_strict: bool = False
) -> Parsed | Refusal:
    """The shape of `body` as the reply to a question of the kind `action`.

    Args:
        body: any JSON value; it is only looked at.
        is_strict: refuse keys that mean nothing here, which are otherwise passed over (line 28).
    """
    if not isinstance(body, dict):
        return Refusal(
            "not_an_object", (), "a reply is a JSON object", _sent(body), action
        )
    if is_strict:
        for key in body:
            if type(key) is not str or key not in KNOWN[action]:
                return Refusal(
                    "unknown_key",
                    (shown(key),),
                    f"a reply to this question has no {shown(key)}",
                    (),
                    action,
                )
    if action == "use" or action == "discard":
        return _parse_cards(action, body)
    return _parse_choice(action, body)


def _parse_choice(action: Action, body: dict[object, object]) -> Parsed | Refusal:
    """A character or a region: one string under a key of its own."""
    key = CHOICE_KEYS[action]
    said = [body[name] for name in ("method", "action") if name in body]
    if any(word == ABORT for word in said if type(word) is str):
        return _parse_abort(action, body, said)
    for name in ("method", "action"):
        if name in body and not (type(body[name]) is str and body[name] in LITERALS):
            return Refusal(
                "conflicting_keys",
                (name,),
                f"a reply to a {action!r} has no method",
                _sent(body[name]),
                action,
            )
    if key not in body:
        return missing_key(key, action)
    value = body[key]
    if type(value) is not str:
        return _bad_type((key,), f"{key} must be a string", value, action)
    return Parsed(action, value, name_key=key)


def _parse_abort(
    action: Action, body: dict[object, object], said: list[object]
) -> Parsed | Refusal:
    """Giving up: under one key, or both alike."""
    others = [word for word in said if type(word) is not str or word != ABORT]
    if others:
        return _conflict(("method", "action"), action)
    for key in PAYLOAD:
        value = body.get(key)
        # clients of the original server always send their lists, empty ones when they give up
        if key in body and not (type(value) is list and not value):
            return Refusal(
                "abort_with_payload",
                (key,),
                "a reply that aborts names neither cards nor players nor choices",
                (),
                action,
            )
    key = "method" if "method" in body else "action"
    return Parsed(action, ABORT, is_abort=True, name_key=key)


def _parse_cards(action: Action, body: dict[object, object]) -> Parsed | Refusal:
    """A method with cards, and players where it is a `use`."""
    canonical, alias = METHOD_KEYS[action]
    said: dict[str, object] = {
        key: body[key] for key in (canonical, alias) if key in body
    }
    for key, word in said.items():
        if type(word) is not str:
            return _bad_type(
                (key,), "the method must be named by a string", word, action
            )
    words = list(said.values())
    if ABORT in words:
        return _parse_abort(action, body, words)
    if len(words) == 2 and words[0] != words[1]:
        return _conflict((canonical, alias), action)
    cards = _ids(body, CARD_KEYS[action], "card ids", "duplicate_card", action)
    if isinstance(cards, Refusal):
        return cards
    key = "targets" if "players" not in body and "targets" in body else "players"
    targets = _targets(body, action)
    if isinstance(targets, Refusal):
        return targets
    name_key = next(iter(said), canonical)
    name = body[name_key] if said else None
    return Parsed(
        action,
        name if type(name) is str else None,
        cards,
        targets,
        False,
        name_key,
        key,
    )


def _targets(
    body: dict[object, object], action: Action
) -> tuple[int, ...] | Refusal | None:
    """The players aimed at, under one of two keys, or under both if they say the same."""
    found: tuple[int, ...] | None = None
    for key in TARGET_KEYS:
        listed = _ids(body, key, "player ids", "duplicate_target", action)
        if isinstance(listed, Refusal):
            return listed
        if found is not None and listed is not None and found != listed:
            return _conflict(TARGET_KEYS, action)
        found = found if listed is None else listed
    return found


def _ids(
    body: dict[object, object], key: str, what: str, twice: Kind, action: Action
) -> tuple[int, ...] | Refusal | None:
    """A list of ids, each a JSON integer, none twice; None where there is no such key."""
    if key not in body:
        return None
    values = body[key]
    if not isinstance(values, list):
        return _bad_type((key,), f"{key} must be a list of {what}", values, action)
    seen: set[int] = set()
    for place, value in enumerate(values):
        if type(value) is not int:
            return _bad_type(
                (key, place), f"{what} are integers, like 7", value, action
            )
        if value in seen:
            return Refusal(
                twice,
                (key, place),
                f"{shown(value)} is there twice",
                _sent(value),
                action,
            )
        seen.add(value)
    return tuple(values)


def quoted(value: object) -> str | int:
    """What was sent, for a refusal: as it is if it is short and plain, else a description of it."""
    if type(value) is int and value.bit_length() <= 64:
        return value
    return shown(value)


def _sent(value: object) -> tuple[tuple[str, object], ...]:
    return (("sent", quoted(value)),)


def missing_key(key: str, action: Action | None) -> Refusal:
    """A key that has to be there and is not."""
    return Refusal(
        "missing_key", (key,), f"a reply must have the key {key!r}", (), action
    )


def _bad_type(
    path: tuple[str | int, ...], sentence: str, value: object, action: Action
) -> Refusal:
    return Refusal(
        "bad_type", path, f"{sentence}, not {shown(value)}", _sent(value), action
    )


def _conflict(keys: tuple[str, str], action: Action) -> Refusal:
    return Refusal(
        "conflicting_keys",
        keys[:1],
        f"{keys[0]} and {keys[1]} say different things",
        (("keys", list(keys)),),
        action,
    )


def sent_seq(body: object) -> object:
    """The number of the hint that a reply in the `extended` dialect says it answers; None if it says none."""
    if isinstance(body, dict):
        meta = body.get("meta")
        if isinstance(meta, dict):
            return meta.get("seq")
    return None


# writing


def encode_reply(
    reply: Reply,
    token: object = None,
    dialect: Dialect = "spec",
    seq: int | None = None,
) -> dict[str, object]:
    """A reply as a client sends it.

    Args:
        token: left out if it is None.
        dialect: `spec` names targets `players`, as the protocol page does; `upstream` names them `targets` and gives
            up a `use` under `action`; `extended` is `spec` and says which hint is answered.
        seq: the number of that hint; written in `extended` only.

    Raises:
        HintError: "bad_dialect".
    """
    if dialect not in DIALECTS:
        raise HintError("bad_dialect", f"there is no dialect {shown(dialect)}")
    body: dict[str, object] = {} if token is None else {"token": token}
    body.update(_said(reply, dialect == "upstream"))
    if dialect == "extended" and seq is not None:
        body["meta"] = {"seq": seq}
    return body


def _said(reply: Reply, is_upstream: bool) -> dict[str, object]:
    action = reply.action
    if reply.is_abort:
        key = "action" if is_upstream and action == "use" else "method"
        return {key: ABORT}
    if action in CHOICE_KEYS:
        return {CHOICE_KEYS[action]: reply.name}
    body: dict[str, object] = {
        METHOD_KEYS[action][0]: reply.name,
        CARD_KEYS[action]: list(reply.cards),
    }
    # a target that goes without saying has no key, as in the original's own replies
    if action == "use" and reply.targets:
        body["targets" if is_upstream else "players"] = list(reply.targets)
    return body
