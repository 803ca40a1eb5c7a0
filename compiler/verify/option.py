"""`--verify[=SECONDS]` and `--no-verify` as click sees them: one option whose value may be left out.

Click would take the next argument for a value that is left out, and that is a rule file. So before the arguments are
parsed, `--verify` alone becomes `--verify=2` and `--no-verify` becomes `--verify=0`; of several the last one counts.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, final

import click

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

SECONDS: Final = 2.0
"""For a rule, if nobody says otherwise."""
MOST_SECONDS: Final = 86_400.0

_FULL = {"--verify": f"--verify={SECONDS:g}", "--no-verify": "--verify=0"}


@final
class VerifyingCommand(click.Command):
    """A command with the option `--verify[=SECONDS]`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write both options out; behind `--` there are only rule files."""
        end = args.index("--") if "--" in args else len(args)
        full = [_FULL.get(one, one) for one in args[:end]]
        return super().parse_args(ctx, full + args[end:])


@final
class _VerifyOption(click.Option):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Both spellings; click knows only one of them."""
        return "--verify[=SECONDS] / --no-verify", self.help or ""


def verify_option(function: FunctionT) -> FunctionT:
    """Adds the option as the parameter `verify`: seconds, 0 for not at all, None if the command line does not say."""
    return click.option(
        "--verify",
        cls=_VerifyOption,
        type=click.FloatRange(0, MOST_SECONDS),
        callback=_a_number,
        help=(
            "Before anything is written, run each package against the interpreter on random cards and matches, for "
            f"{SECONDS:g} seconds a rule or as many as given. On by default where CI is set."
        ),
    )(function)


def _a_number(
    ctx: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("that is not a number of seconds")
    return value


def seconds_of(
    given: float | None, environment: Mapping[str, str] = os.environ
) -> float:
    """Seconds to verify a rule for; 0 for not at all.

    Args:
        given: what the command line says, if it does.
        environment: says by CI whether this is a continuous integration service, as they all set it.
    """
    if given is not None:
        return given
    is_service = environment.get("CI", "").strip().lower() not in ("", "0", "false")
    return SECONDS if is_service else 0.0
