"""The benchmark: compiled rules side by side with what people would use instead. `python -m bench --help`.

`rows/` says what is measured and is the one place to add to; `by_hand/`, `fast_interpreter` and `rivals/` are what it
is measured against, `workloads` the questions, `timing` the clock, `report` the table, `docs/performance.md` and its
picture. Run it from the root of a checkout in which the project is installed (`pip install -e '.[dev]'`).
"""
