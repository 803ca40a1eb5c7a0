"""What is said of a flow that must be there and is not, or has no node "1": where it belongs, and how it is written.

In goes the flow as `load_flow` understood it and its raw JSON, out go diagnostics with a remedy that can be pasted. Used
by `load` and `load_flow`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import Pointer
from dealwright.compiler.diagnostics.reporter import Reporter, quote
from dealwright.compiler.rule.components import COMPONENTS
from dealwright.compiler.rule.flowgraph import START_ID
from dealwright.compiler.rule.model import Flow, FlowKind

# what a flow that must be there is called, and the node that ends the shortest one that nothing is said about
_NO_FLOW: Final[Mapping[FlowKind, tuple[Words, str]]] = MappingProxyType(
    {
        FlowKind.MATCH: (
            Words("match flow", "对局流程"),
            '{"type": 18, "content": {}}',
        ),
        FlowKind.END: (
            Words("end flow", "结算流程"),
            '{"type": 24, "content": {"result": 0}}',
        ),
        FlowKind.METHOD: (
            Words("flow of the method", "方法的流程"),
            '{"type": 26, "content": {}}',
        ),
        FlowKind.BUILD: (
            Words("build flow", "识别流程"),
            '{"type": 28, "content": {"result": 0}}',
        ),
    }
)
_FILE: Final = Words("the file", "文件")
_METHOD: Final = Words("the method", "方法")
_CARDSET: Final = Words("the cardset", "牌型")


def report_no_start(
    raw: Mapping[str, object], flow: Flow, pointer: Pointer, reporter: Reporter
) -> None:
    """Report that node "1" is missing: at the start that has another id or stands too deep, if there is one."""
    start = flow.kind.value
    name = COMPONENTS[start].name
    deep = next(
        (key for key, one in raw.items() if isinstance(one, dict) and START_ID in one),
        None,
    )
    named = next((one for one in flow.nodes.values() if one.type == start), None)
    if named is not None:
        place = reporter.place_in_node(named.pointer, flow.path, named.id)
        mend = Words(
            f"rename this node ({start}, {name.en}) to '1'",
            f"请把该节点（{start}，{name.zh}）的编号改为 '1'",
        )
    elif deep is not None:
        place = reporter.place(pointer / deep, flow=flow.path, key=True)
        shown = quote(deep)
        mend = Words(
            f"move it and the nodes beside it out of {shown}, one level up",
            f"请把它和旁边的节点移出 {shown}，上移一层",
        )
    else:
        place = reporter.place(pointer, flow=flow.path)
        form = f'"1": {{"type": {start}, "content": {{"next": "…"}}}}'
        mend = Words(
            f"add the {name.en} {form}, and let its 'next' name the node that comes first",
            f"请添加“{name.zh}”节点 {form}，并让 next 指向第一个要执行的节点",
        )
    reporter.report("R119", place, mend=mend)


def report_no_flow(
    raw: object, flow: Flow, pointer: Pointer, reporter: Reporter
) -> None:
    """Report a flow that must be there and is not: `raw` is None or an empty object."""
    parent, key = pointer.parent or pointer, pointer.steps()[-1]
    what, end = _NO_FLOW[flow.kind]
    where, name = Words("here", "这里"), ""
    if raw is not None:
        state = Words(f"'{key}' is empty", f"{key} 为空")
    elif reporter.locator is not None and reporter.locator.has(pointer):
        state = Words(f"'{key}' is null", f"{key} 是 null")
    else:
        holder = _holder(flow.kind, parent)
        state = Words(
            f"{holder.en} has no '{key}'",
            f"{holder.zh.lstrip()}中没有 {key}",
        )
        where, name = Words(f"into {holder.en}", f"{holder.zh}中"), f'"{key}": '
    begin = f'{{"type": {flow.kind.value}, "content": {{"next": "end"}}}}'
    form = f'{name}{{"1": {begin}, "end": {end}}}'
    reporter.report(
        "R136",
        reporter.place(pointer, flow=flow.path),
        what=what,
        state=state,
        where=where,
        form=Words(form, form),
    )


def _holder(kind: FlowKind, parent: Pointer) -> Words:
    """What a flow belongs into, in words."""
    if kind in (FlowKind.MATCH, FlowKind.END):
        has_metadata = parent.parent is not None
        return Words("'design'", " design ") if has_metadata else _FILE
    return _METHOD if kind is FlowKind.METHOD else _CARDSET
