"""Who has paid whom, and why: a list of payments that balances by itself, and fines that go to nobody.

book.kong(2, [0, 1, 3], 2)  →  three payments of 2 to seat 2, which can be given back later
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias, final, get_args

from examples.sichuan.table import Seat

Reason: TypeAlias = Literal["WIN", "KONG", "SHOT_REFUND", "READY_CHECK", "KONG_REFUND"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


class Payment(NamedTuple):
    """Points that changed hands.

    Attributes:
        reason: WIN; KONG (刮风, 下雨); SHOT_REFUND, since the owner discarded a win right after it; READY_CHECK (查叫);
            KONG_REFUND, since the owner was not ready at the end (退税).
        payer: who paid.
        payee: who got it.
        amount: how much, more than 0.
        kong: the number of the kong that it is about, None for the others.
    """

    reason: Reason
    payer: Seat
    payee: Seat
    amount: int
    kong: int | None = None


@final
@dataclass(slots=True)
class Accounts:
    """The accounts of a round.

    Attributes:
        seats: how many seats there are.
        payments: all payments in the order in which they were made.
        fines: what each seat was fined; fines do not balance.
        kongs: how many kongs were paid for so far; their numbers are below this.
    """

    seats: int
    payments: list[Payment] = field(default_factory=list)
    fines: list[int] = field(default_factory=list)
    kongs: int = 0

    def __post_init__(self) -> None:
        self.fines = self.fines or [0] * self.seats

    def pay(self, reason: Reason, payer: Seat, payee: Seat, amount: int) -> None:
        """One payment that is not about a kong."""
        self.payments.append(Payment(reason, payer, payee, amount))

    def kong(self, owner: Seat, payers: Iterable[Seat], amount: int) -> int:
        """Pay for a kong; the number by which it can be given back. An amount of 0 pays nothing."""
        number = self.kongs
        self.kongs += 1
        if amount:
            self.payments += [
                Payment("KONG", payer, owner, amount, number) for payer in payers
            ]
        return number

    def give_back(self, number: int, reason: Reason, to: Collection[Seat]) -> None:
        """What a kong has brought goes back to those of its payers who are in `to`; what went back before does not."""
        paid = [payment for payment in self.payments if payment.kong == number]
        back = {payment.payee for payment in paid if payment.reason != "KONG"}
        self.payments += [
            Payment(reason, payment.payee, payment.payer, payment.amount, number)
            for payment in paid
            if payment.reason == "KONG"
            and payment.payer in to
            and payment.payer not in back
        ]

    def kongs_of(self, owner: Seat) -> list[int]:
        """The numbers of the kongs that have brought a seat anything."""
        return sorted(
            {
                payment.kong
                for payment in self.payments
                if payment.kong is not None
                and payment.payee == owner
                and payment.reason == "KONG"
            }
        )

    def changes(self, since: int = 0) -> list[int]:
        """What each seat has won or lost by the payments from number `since` on; they add up to 0."""
        changed = [0] * self.seats
        for payment in self.payments[since:]:
            changed[payment.payer] -= payment.amount
            changed[payment.payee] += payment.amount
        return changed

    def totals(self) -> list[int]:
        """What each seat has won or lost, fines taken off."""
        return [
            won - fine for won, fine in zip(self.changes(), self.fines, strict=True)
        ]
