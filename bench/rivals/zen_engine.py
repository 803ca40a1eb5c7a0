"""zen-engine, a rule engine in Rust: its expression language, compiled once."""

from __future__ import annotations

import zen  # type: ignore[import-not-found]

from bench.rivals.serve import Task, serve

IS_PAIR = zen.compile_expression("first == second")

if __name__ == "__main__":
    serve("zen-engine", {"is-it-a-pair": Task(IS_PAIR.evaluate)})
