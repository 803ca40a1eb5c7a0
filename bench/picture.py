"""Draws the picture of `docs/performance.md`: reads the benchmark's JSON on stdin, writes a PNG to the path given.

Each row of the table is a line, each rival a dot on it at how many times as long as dealwright he takes, with his
quartiles. It runs in an environment of its own that has matplotlib, and imports nothing else of ours.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import matplotlib  # type: ignore[import-not-found]

matplotlib.use("Agg")
from matplotlib import pyplot

COLOURS = {
    "hand": "#1b7837",
    "public face": "#7fbf7b",
    "interpreter": "#762a83",
    "zen-engine": "#e08214",
    "json-logic": "#b2182b",
    "cel-python": "#2166ac",
    "native": "#111111",
    "fastjsonschema": "#c51b7d",
    "open_spiel": "#80cdc1",
    "rlcard": "#8c510a",
    "mahjong": "#01a2a6",
}
OTHERS = "#666666"


def draw(found: Any, path: str) -> None:
    """Draw all rows that have a rival."""
    rows = [row for row in found["rows"] if row["rivals"]]
    height = max(2.5, 0.27 * len(rows) + 1.6)
    figure, axes = pyplot.subplots(figsize=(9, height), layout="constrained")
    labelled: set[str] = set()
    for place, row in enumerate(rows):
        for rival in row["rivals"]:
            _draw_rival(axes, place, rival, labelled)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row["title"] for row in rows], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("times as long as dealwright (1 = the generated code)")
    axes.grid(axis="x", which="both", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper center", ncols=6, frameon=False, fontsize=8)
    figure.savefig(path, dpi=130, metadata={"Software": None})


def _draw_rival(axes: Any, place: int, rival: Any, labelled: set[str]) -> None:
    ratio = rival["ratio"]
    low, median, high = ratio["low"], ratio["median"], ratio["high"]
    if rival["ratio_is_ours"]:
        low, median, high = 1 / high, 1 / median, 1 / low
    name = rival["name"]
    axes.errorbar(
        median,
        place,
        xerr=[[median - low], [high - median]],
        fmt="o",
        markersize=4,
        linewidth=1.2,
        color=COLOURS.get(name, OTHERS),
        label=None if name in labelled else name,
    )
    labelled.add(name)


if __name__ == "__main__":
    draw(json.load(sys.stdin), sys.argv[1])
