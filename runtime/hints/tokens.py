"""Who a reply comes from: a token for each seat, kept only as a hash.

Seats are public, tokens are not: knowing who plays where lets nobody act for him. A token is looked up by comparing
its hash with every seat's in constant time, so how long it takes tells nothing about any of them. A saved game has
the hashes and not the tokens, so whoever reads it cannot play either.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import final

from dealwright.runtime.checks import is_listed
from dealwright.runtime.errors import shown
from dealwright.runtime.hints.errors import HintError

TOKEN_BYTES = 24
"""Of a token that nobody chose: 192 random bits."""


def new_tokens(seats: int) -> list[str]:
    """Unguessable tokens, one for each seat."""
    return [secrets.token_urlsafe(TOKEN_BYTES) for _ in range(seats)]


def _digest(token: str) -> bytes:
    # JSON may hold half a surrogate pair, which strict UTF-8 would refuse
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


@final
class Tokens:
    """The tokens of a game, one for each seat.

    Args:
        tokens: strings, all different; integers too if `are_integers_allowed`, which is for recorded games only.

    Raises:
        HintError: "bad_state": a token of another type, an empty one, or one twice.
    """

    __slots__ = ("_digests", "are_integers_allowed")

    def __init__(
        self, tokens: Iterable[object], are_integers_allowed: bool = False
    ) -> None:
        self.are_integers_allowed = are_integers_allowed
        digests: list[bytes] = []
        for token in tokens if is_listed(tokens) else (None,):
            text = self._text(token)
            if not text:
                raise HintError("bad_state", "a token is a string that is not empty")
            digests.append(_digest(text))
        if len(set(digests)) != len(digests):
            raise HintError("bad_state", "two seats have the same token")
        self._digests = digests

    def _text(self, token: object) -> str | None:
        if type(token) is str:
            return token
        if self.are_integers_allowed and type(token) is int:
            return shown(token)
        return None

    def seat(self, token: object) -> int | None:
        """The seat of a token; None for anything that is none of ours."""
        text = self._text(token)
        if text is None:
            return None
        digest = _digest(text)
        found = None
        # no early end: all seats are compared whatever comes
        for seat, known in enumerate(self._digests):
            if hmac.compare_digest(digest, known):
                found = seat
        return found

    def __len__(self) -> int:
        return len(self._digests)

    def to_json(self) -> list[str]:
        """The hashes, by seat."""
        return [digest.hex() for digest in self._digests]

    @classmethod
    def from_json(
        cls, hashes: Sequence[object], are_integers_allowed: bool = False
    ) -> Tokens:
        """Tokens as they were saved.

        Raises:
            HintError: "bad_state": not a list of hashes, or one twice.
        """
        digests = []
        for text in hashes if isinstance(hashes, list) else (None,):
            if type(text) is not str or len(text) != 64 or set(text) - HEX:
                raise HintError("bad_state", f"that is no token's hash: {shown(text)}")
            digests.append(bytes.fromhex(text))
        if len(set(digests)) != len(digests):
            raise HintError("bad_state", "two seats have the same token")
        tokens = cls((), are_integers_allowed)
        tokens._digests = digests
        return tokens


HEX = frozenset("0123456789abcdef")
