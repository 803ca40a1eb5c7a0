"""Names that the emitter derives from a rule's names never meet others of the rule, whatever the rule calls things.

A comparison's function is named after two cardsets, a cut flow's further functions after a node, a large quantified
formula's after its own text. Each rule here has a name that looks just like such a derived one; the compiled package must
still do what the interpreter does.
"""

from __future__ import annotations

import ast
import builtins
import copy
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dealwright import runtime
from dealwright.compiler import pipeline
from dealwright.compiler.diagnostics.reporter import CompileError
from dealwright.compiler.emit.modules import _RUNTIME
from dealwright.compiler.emit.names import ALWAYS_TAKEN
from dealwright.compiler.emit.style import BadOutput, formatted
from dealwright.compiler.interpreter import interpret
from dealwright.compiler.output import memory
from tests.rule_changes import document
from tests.rulegen.rules import seeded
from tests.support import encoded, shipped_rules

ROOT = Path(__file__).resolve().parent.parent


def tiny() -> dict[str, Any]:
    """The design of the smallest shipped rule, to be changed."""
    whole = json.loads((ROOT / "rules" / "tiny.json").read_text(encoding="utf-8"))
    design: dict[str, Any] = copy.deepcopy(whole["design"])
    return design


def compiled(design: dict[str, Any]) -> ModuleType:
    built = pipeline.build(json.dumps(design).encode(), "derived.json")
    return memory.import_package(built.slug, built.files)


def source(design: dict[str, Any]) -> str:
    """All modules of the rule's package, one after the other."""
    built = pipeline.build(json.dumps(design).encode(), "derived.json")
    return "".join(map(str, built.files.values()))


def sized(name: str, size: int, result: int) -> dict[str, Any]:
    """A cardset of so many cards."""
    return {
        "name": name,
        "build_flow": {
            "1": {"type": 27, "content": {"next": "if"}},
            "if": {
                "type": 16,
                "content": {"condition": "is", "next_true": "yes", "next_false": "no"},
            },
            "is": {
                "type": 14,
                "content": {"operator": 0, "lval": "n", "rval": f" {size}"},
            },
            "n": {"type": 7, "content": {"selection": "cards"}},
            "yes": {"type": 28, "content": {"result": 1}},
            "no": {"type": 28, "content": {"result": 0}},
        },
        "compare_flow": {},
        "successors": [],
    }


def decided(result: int) -> dict[str, Any]:
    return {
        "1": {"type": 29, "content": {"next": "end"}},
        "end": {"type": 30, "content": {"result": result}},
    }


def test_two_comparisons_that_read_alike() -> None:
    names = ("A", "B_with_C", "A_with_B", "C")
    design = tiny()
    design["cardsets"] = {
        str(size): sized(name, size, 1) for size, name in enumerate(names, 1)
    }
    design["cardset_comparisons"] = {
        "1": {"cardsetA": "A", "cardsetB": "B_with_C", "compare_flow": decided(0)},
        "2": {"cardsetA": "A_with_B", "cardsetB": "C", "compare_flow": decided(1)},
    }
    package = compiled(design)
    deck = package.PACKAGE.cards
    plays = [package.recognize(list(deck[:size])) for size in range(1, 5)]
    rule = interpret.Rule(design)
    told = [interpret.recognize(rule, list(range(1, size + 1))) for size in range(1, 5)]
    for now in range(4):
        for before in range(4):
            expected = interpret.beats(rule, told[now] or {}, told[before] or {})
            assert package.beats(plays[now], plays[before]) is expected, (now, before)


def test_properties_that_read_alike() -> None:
    """What two nodes accept is called after cardset and node; here both together read alike, and so does a cardset."""
    design = tiny()
    names = ("A", "A_at_B", "PROPERTIES_A_at_B_at_yes", "Never")
    design["cardsets"] = {
        str(size): {
            **sized(name, size, 1),
            "properties": {"Never": {"type": "int", "default": 10 * size}},
        }
        for size, name in enumerate(names, 1)
    }
    flow = design["cardsets"]["1"]["build_flow"]
    flow["B_at_yes"] = flow.pop("yes")
    flow["if"]["content"]["next_true"] = "B_at_yes"
    package = compiled(design)
    deck = package.PACKAGE.cards
    rule = interpret.Rule(design)
    for size in range(5):
        play = package.recognize(list(deck[:size]))
        expected = interpret.recognize(rule, list(range(1, size + 1)))
        found = play and {"cardset": play.cardset, "properties": play.properties}
        told = expected and {one: expected[one] for one in ("cardset", "properties")}
        assert found == told
    # a word of the author's is no name that the module has to import
    assert "    Never,\n" not in source(design).partition("def build_")[0]


def test_a_method_called_like_a_part_of_another() -> None:
    """Two methods whose cycle has two entries, cut at node x; one is called like the part."""
    cut = {
        "1": {"type": 25, "content": {"next": "a"}},
        "a": {"type": 16, "content": {"condition": "k", "next_true": "x", "next_false": "y"}},
        "x": {"type": 4, "content": {"component": "n", "rvalue": "more", "next": "xx"}},
        "xx": {"type": 16, "content": {"condition": "done", "next_true": "back", "next_false": "y"}},
        "y": {"type": 4, "content": {"component": "n", "rvalue": "more", "next": "yy"}},
        "yy": {"type": 16, "content": {"condition": "done", "next_true": "back", "next_false": "x"}},
        "back": {"type": 26, "content": {}},
        "k": {"type": 14, "content": {"operator": 1, "lval": "n", "rval": " 0"}},
        "n": {"type": 6, "content": {"operator": 0, "ident": "table_0", "property": "n"}},
        "more": {"type": 10, "content": {"operator": 0, "lval": "n", "rval": " 2"}},
        "done": {"type": 14, "content": {"operator": 3, "lval": "n", "rval": " 5"}},
    }  # fmt: skip
    plain = {
        "1": {"type": 25, "content": {"next": "put"}},
        "put": {"type": 4, "content": {"component": "n", "rvalue": " 100", "next": "back"}},
        "n": cut["n"],
        "back": {"type": 26, "content": {}},
    }  # fmt: skip
    design = tiny()
    parts = [f"f_at_{id}" for id in cut]
    design["classes"]["table"]["methods"] = {
        "f": {"parameters": {}, "returns": None, "flow": cut},
        **{one: {"parameters": {}, "returns": None, "flow": plain} for one in parts},
    }
    design["classes"]["table"]["user_properties"]["n"] = {"type": "int", "default": 0}
    flow = design["match_flow"]
    after = flow["1"].get("next") or flow["1"]["content"]["next"]
    flow["1"] = {"type": 17, "content": {"next": "call"}}
    flow["call"] = {
        "type": 1,
        "content": {"object": "table_0", "method": "f", "next": after},
    }
    match = compiled(design).new_match(["ann", "bo"], seed=1)
    expected = interpret.Match(interpret.Rule(design), 2, seed=1).state()["table"]["n"]
    assert match.table.n == expected
    assert expected < 100


def asking(method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """A rule whose method `f` has an answer of another one twice in a formula; the match begins with the call of it."""
    design = tiny()
    table = design["classes"]["table"]
    table["user_properties"]["n"] = {"type": "int", "default": 0}
    answering = {
        "1": {"type": 25, "content": {"next": "back"}},
        "back": {"type": 26, "content": {"return": "sum"}},
        "sum": {"type": 10, "content": {"operator": 0, "lval": "n", "rval": " 7"}},
        "n": {"type": 6, "content": {"operator": 0, "ident": "table_0", "property": "n"}},
    }  # fmt: skip
    twice = {
        "1": {"type": 25, "content": {"next": "if"}},
        "if": {"type": 16, "content": {"condition": "is", "next_true": "put", "next_false": "back"}},
        "is": {"type": 14, "content": {"operator": 1, "lval": "answer", "rval": " 5"}},
        "put": {"type": 4, "content": {"component": "n", "rvalue": "answer", "next": "back"}},
        "answer": {"type": 1, "content": {"object": "table_0", "method": method, "parameter": []}},
        "n": answering["n"],
        "back": {"type": 26, "content": {}},
    }  # fmt: skip
    table["methods"] = {
        method: {"parameters": {}, "returns": "int", "flow": answering},
        "f": {"parameters": parameters, "returns": None, "flow": twice},
    }
    return design


@pytest.mark.parametrize("place", ["method", "match"])
@pytest.mark.parametrize(
    ("method", "local"),
    [
        ("total", "total"),
        ("总分", "总分"),
        ("from_total", "from_total"),
        ("sum", "sum"),
        ("game", "game_"),
        ("at_put", "from_at_put"),
        ("after_play_ask", "from_after_play_ask"),
        ("build_A", "from_build_A"),
        ("read_n", "from_read_n"),
        ("start_holds_1a2b", "from_start_holds_1a2b"),
    ],
)
def test_a_local_is_called_after_the_method_that_answers(
    method: str, local: str, place: str
) -> None:
    design = asking(method, {})
    flow = design["match_flow"]
    after = flow["1"].get("next") or flow["1"]["content"]["next"]
    if place == "method":
        call = {"object": "table_0", "method": "f", "next": after}
        flow["call"] = {"type": 1, "content": call}
        flow["1"] = {"type": 17, "content": {"next": "call"}}
    else:
        twice = design["classes"]["table"]["methods"].pop("f")["flow"]
        flow["1"] = {"type": 17, "content": {"next": "if"}}
        flow |= {id: twice[id] for id in ("if", "is", "put", "answer", "n")}
        flow["if"]["content"]["next_false"] = after
        flow["put"]["content"]["next"] = after
    assert f"    {local} = " in source(design)
    match = compiled(design).new_match(["ann", "bo"], seed=1)
    expected = interpret.Match(interpret.Rule(design), 2, seed=1).state()["table"]["n"]
    assert match.table.n == expected == 7


def test_a_local_leaves_a_parameter_its_name() -> None:
    text = source(asking("total", {"total": {"type": "int"}}))
    assert "    from_total = " in text and "    total = " not in text


@pytest.mark.parametrize(
    ("node", "local"),
    [
        ("theirs", "theirs"),
        ("对手的", "对手的"),
        *((one, "amount") for one in ("12", "wins_2", "第3个", "节点三", "x")),
        *((one, "amount") for one in ("min", "game", "WarGame", "class")),
        *((one, "amount") for one in ("build_x", "at_end", "after_play_ask")),
        *((one, "amount") for one in ("ａｂ", "__all__", "a] [b", "two words", "a-b")),
    ],
)
def test_a_local_is_called_like_its_node(node: str, local: str) -> None:
    """If that is a word, which the numbers of a builder are not, and free; whatever it is called, it is the same code."""
    war = ROOT / "rules" / "war.json"
    made = _settlement(_renamed(document(war), node))
    assert f"    {local} = (" in made
    usual = _settlement(document(war))
    assert ast.dump(ast.parse(made.replace(local, "theirs"))) == ast.dump(
        ast.parse(usual)
    )


def _renamed(rule: Any, node: str) -> Any:
    """War with another id for the node `theirs`."""
    flow = rule["design"]["end_flow"]
    flow[node] = flow.pop("theirs")
    for one in ("ahead", "behind"):
        flow[one]["content"]["rval"] = node
    return rule


def _settlement(rule: Any) -> str:
    return pipeline.build(encoded(rule), "rules/war.json").files["settle.py"]


def test_of_two_nodes_with_one_value_the_order_does_not_matter() -> None:
    rule = document(ROOT / "rules" / "war.json")
    flow = rule["design"]["end_flow"]
    flow["others"] = copy.deepcopy(flow["theirs"])
    flow["behind"]["content"]["rval"] = "others"
    turned = copy.deepcopy(rule)
    turned["design"]["end_flow"] = dict(reversed(flow.items()))
    assert "    others = (" in _settlement(rule)
    assert _settlement(turned) == _settlement(rule)


def test_what_generated_code_imports_is_there() -> None:
    missing = [
        name for name in {*_RUNTIME, *runtime.__all__} if not hasattr(runtime, name)
    ]
    assert not missing


@pytest.mark.parametrize(
    "text",
    [
        "def f() -> None: ...\n\n\ndef f() -> None: ...\n",
        "class C:\n    def f(self) -> None: ...\n    def f(self) -> None: ...\n",
    ],
)
def test_a_name_defined_twice_is_our_fault(text: str) -> None:
    with pytest.raises(BadOutput, match="twice"):
        formatted(text)


def _names_used(text: str) -> set[str]:
    """The builtins and imported names that the functions of a module use."""
    module = ast.parse(text)
    imported = {
        alias.asname or alias.name
        for part in module.body
        if isinstance(part, ast.ImportFrom)
        for alias in part.names
    }
    names = [one for one in ast.walk(module) if isinstance(one, ast.Name)]
    own = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    used = {one.id for one in names if isinstance(one.ctx, ast.Load)}
    return {one for one in used - own if one in imported or hasattr(builtins, one)}


def test_what_functions_use_is_no_name_for_anything_else() -> None:
    """A parameter called `min` would hide the function; of what the author named, functions begin with `build_`."""
    documents = [document(path) for path in shipped_rules()]
    documents += [seeded(number).document for number in range(12)]
    found: set[str] = set()
    for one in documents:
        try:
            files = pipeline.build(encoded(one), "rules/names.json").files
        except CompileError:
            continue
        modules = ("cardsets.py", "classes.py", "match.py", "settle.py")
        for text in map(files.__getitem__, modules):
            found |= _names_used(text)
    assert {"len", "sorted", "max", "min", "any", "at", "divide", "every"} <= found
    found = {one for one in found if not one.startswith("build_")}
    assert {one for one in found if not one.endswith("Game")} <= ALWAYS_TAKEN


def test_a_parameter_hides_no_function() -> None:
    rule = document(ROOT / "rules" / "big_two.json")["design"]
    method = rule["classes"]["table"]["methods"]["may_be_played"]
    method["parameters"]["min"] = {"type": "int"}
    made = compiled(rule)
    match = made.new_match(range(4), seed=1)
    dealt = [card for hand in match.hands for card in hand]
    lowest, *others = sorted(dealt, key=lambda card: card.id)
    assert made.recognize([lowest], match).cardset == "Single"
    assert made.recognize(others[:1], match) is None
