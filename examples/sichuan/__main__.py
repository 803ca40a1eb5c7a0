"""`python -m examples.sichuan [--seed N] [--mode NAME] [--auto]`: a round in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from dealwright.runtime.windows import MODES, shipped_mode
from examples.sichuan.screen import open_screen
from examples.sichuan.terminal import Game, Quit


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one round.

    Returns:
        0, or 1 if the person left before it was over.
    """
    parser = argparse.ArgumentParser(
        prog="python -m examples.sichuan", description="四川血战到底 in the terminal"
    )
    parser.add_argument("--seed", type=int, default=1, help="which round (default: 1)")
    parser.add_argument("--mode", choices=sorted(MODES), default="SBR_2025")
    parser.add_argument("--auto", action="store_true", help="only watch")
    given = parser.parse_args(arguments)
    me = None if given.auto else 0
    try:
        Game(shipped_mode(given.mode), given.seed, open_screen(), me).run()
    except (Quit, KeyboardInterrupt):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
