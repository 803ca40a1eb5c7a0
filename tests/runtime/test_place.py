"""From a traceback to a node: the comments at the ends of generated lines are the only map."""

from __future__ import annotations

import linecache
import pickle
import sys
import textwrap
from collections.abc import Callable
from types import ModuleType

import pytest

from dealwright.runtime import DealwrightError, MatchError, Rejected
from dealwright.runtime.place import place_of

SOURCE = """
def one_line(x):
    y = 1  # [1]
    return y // x  # [2]


def over_lines(x):
    y = 1  # [1]
    z = (
        y
        + y // x
        + 2
    )  # [多行 ] id]
    return z  # [4]


def comment_first(x):
    y = [  # [5]
        1 // x,
    ]
    return y


def header(x):
    if (
        x + 1
        and 1 // x
    ):  # [6]
        return 1  # [7]
    return 2  # [8]


def no_comment(x):
    while True:
        1 // x
        y = 1  # [9]
        return y  # [10]


def nothing(x):
    return 1 // x


def lambdas(x):
    y = 0  # [11]
    y = sum(
        map(
            lambda card: 1 // card,
            [x],
        )
    )  # [12]
    return y  # [13]


def comprehension(x):
    return [1 // y for y in [x]]  # [14]


def matched(x):
    match x:
        case 0:
            return 1 // x  # [15]
    return 2  # [16]


def outer(x):
    y = one_line(x)  # [17]
    return y  # [18]


def called_back(x):
    y = run(one_line, x)  # [19]
    return y
"""


def load(name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module whose source exists nowhere but in its loader, as in a zip archive."""

    class Loader:
        def get_source(self, fullname: str) -> str:
            assert fullname == name
            return source

    module = ModuleType(name)
    path = f"<memory>/{name}.py"
    module.__dict__.update(__name__=name, __loader__=Loader(), __file__=path)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(source, path, "exec"), module.__dict__)
    linecache.checkcache(path)
    return module


def error_of(function: Callable[[int], object]) -> Exception:
    try:
        function(0)
    except Exception as error:
        return error
    raise AssertionError("no error")


@pytest.mark.parametrize(
    ("function", "flow", "node"),
    [
        ("one_line", "one_line", "2"),
        ("over_lines", "over_lines", "多行 ] id"),
        ("comment_first", "comment_first", "5"),
        ("header", "header", "6"),
        ("no_comment", "no_comment", "9"),
        ("nothing", "nothing", None),
        ("lambdas", "lambdas", "12"),
        ("comprehension", "comprehension", "14"),
        ("matched", "matched", "15"),
        ("outer", "one_line", "2"),
        ("called_back", "one_line", "2"),
    ],
)
def test_the_node_of_an_error(
    function: str, flow: str, node: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load("games.cards", SOURCE, monkeypatch)
    module.__dict__["run"] = lambda called, x: called(x)
    assert place_of(error_of(getattr(module, function)), "games") == (flow, node)


def test_the_two_flows_have_the_rules_own_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module, flow in (("match", "match_flow"), ("settle", "end_flow")):
        loaded = load(f"games.{module}", SOURCE, monkeypatch)
        error = error_of(loaded.one_line)
        assert place_of(error, "games") == (flow, "2")
        assert place_of(error, "game") == (None, None)


def test_without_a_frame_the_origin_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("games.match", SOURCE, monkeypatch)
    error = ValueError()
    assert place_of(error, "games") == (None, None)
    assert place_of(error, "games", module.lambdas) == ("match_flow", "11")
    assert place_of(error, "games", len) == (None, None)


@pytest.mark.parametrize("source", ["", "x = (", "'''", textwrap.indent(SOURCE, " ")])
def test_a_source_that_is_not_what_runs_does_no_harm(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load("games.match", SOURCE, monkeypatch)
    monkeypatch.setattr(module.__loader__, "get_source", lambda fullname: source)
    path = str(module.__file__)
    linecache.cache.pop(path, None)
    flow, _ = place_of(error_of(module.over_lines), "games")
    assert flow == "match_flow"
    linecache.cache.pop(path, None)


def test_errors_are_of_one_family_and_can_be_pickled() -> None:
    for kind in (Rejected, MatchError):
        error = kind("some_code", "what is wrong", "规则", "match_flow", "8")
        again = pickle.loads(pickle.dumps(error))
        assert isinstance(again, DealwrightError)
        assert type(again) is kind
        assert str(again) == str(error) == "规则: match_flow/8: what is wrong"
        assert (again.code, again.rule, again.flow, again.node) == (
            "some_code", "规则", "match_flow", "8",
        )  # fmt: skip
    assert str(MatchError("c", "no place")) == "no place"
