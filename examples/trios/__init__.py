"""Trios: a small claim game that is not mahjong, on the same windows, patterns and hints.

Three seats, 72 cards in three colours with ranks 1 to 8, three of each. Eight cards in hand; the ninth that makes three
groups of three (equal cards, or a run of one colour) wins, and ends the round. A discard may be claimed: WIN by anybody
that it completes, SET by anybody with two equal cards, CHOW by the next seat alone with two cards that make a run of it.
Only `dealwright.runtime` is imported.
"""
