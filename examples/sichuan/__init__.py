"""Sichuan mahjong (四川血战到底), the whole of it: `python -m examples.sichuan` plays it in the terminal.

    tiles → hand → fans → table → turns, accounts, ending → rules (offers and claims, for `dealwright.runtime.windows`)
    → round, saved (the state machine and its JSON) → asking, seen (for clients) → bots, terminal

The rules are those of the Mahjong International League's Sichuan Bloody Rules, 2025 trial edition, and of the first mode
of the window requirement; the two differ in their windows alone, which are data. Only `dealwright.runtime` is imported,
and `rich` for colours.
"""
