"""Diagnostics of meaning, R201 to R224: well-formed rules that cannot work.

Texts only; `codes.py` says what the columns are, `problem.py` joins the tables.
"""

from __future__ import annotations

from typing import Final

from dealwright.compiler.diagnostics.codes import Code, Severity

_E = Severity.ERROR

MEANING: Final = (
    Code(
        "R201",
        _E,
        "the branch has no {lacking}",
        "条件分支缺少 {lacking}",
        "connect what is missing: a branch needs a condition and both exits",
        "请连接缺少的部分：分支需要条件和两个出口",
    ),
    Code(
        "R202",
        _E,
        "the flow stops here: 'next' is missing",
        "流程在此中断：缺少 next",
        "connect 'next', or end the flow with component {end}",
        "请连接 next，或用组件 {end} 结束流程",
    ),
    Code(
        "R203",
        _E,
        "the comparison can end here without a result",
        "牌型比较可能在此结束而没有结果",
        "let every path end in a component 30",
        "请让每条路径都以组件 30 结束",
    ),
    Code(
        "R204",
        _E,
        "component {type} ({name}) cannot stand in this kind of flow",
        "组件 {type}（{name}）不能用于此类流程",
        "use it only in {where}",
        "只能用于{where}",
    ),
    Code(
        "R205",
        _E,
        "component {type} ({name}) can be executed in the match flow only",
        "组件 {type}（{name}）只能在对局流程中执行",
        "move the wait to the match flow; elsewhere it can only be read",
        "请把它移到对局流程；其他流程只能读取它的值",
    ),
    Code(
        "R206",
        _E,
        "'component' {found}, but an assignment needs a property (component 6) of this flow",
        "component {found}，而赋值需要本流程中的属性组件（6）",
        'let it name a node like {{"type": 6, "content": {{"operator": 0, "ident": "table_0", "property": "…"}}}}',
        '请让它指向这样的节点：{{"type": 6, "content": {{"operator": 0, "ident": "table_0", "property": "…"}}}}',
    ),
    Code(
        "R207",
        _E,
        "the target {target} can never be assigned: it does not read a property of a card, a player or the table",
        "赋值目标 {target} 永远无法赋值：它读取的不是卡牌、玩家或牌桌的属性",
        (
            "use operator 0 with table_0, player_N, card_N or 玩家, or operator 1 on a node that gives one object, "
            "and name the property"
        ),
        "请用运算符 0 加 table_0、player_N、card_N 或 玩家，或用运算符 1 引用结果是单个对象的节点，并填写属性名",
    ),
    Code(
        "R208",
        _E,
        "the property {name} is computed by the engine and cannot be assigned",
        "属性 {name} 由引擎计算，不能赋值",
        "assign another property; this one follows the state of the match",
        "请改为其他属性；该属性随对局状态变化",
    ),
    Code(
        "R209",
        _E,
        "the class {owner} has no method {name}",
        "类 {owner} 没有方法 {name}",
        "correct the name, or declare the method in this class",
        "请改正方法名，或在该类中声明此方法",
    ),
    Code(
        "R210",
        _E,
        "there is no cardset with the id {name}",
        "不存在 id 为 {name} 的牌型",
        "write the id (not the name) of a cardset",
        "请填写牌型的 id（不是名字）",
    ),
    Code(
        "R211",
        _E,
        "the method is called on {name}, which names no object",
        "方法的调用对象 {name} 不是任何对象",
        "call it on table_0, player_N, card_N or 玩家",
        "请在 table_0、player_N、card_N 或 玩家 上调用",
    ),
    Code(
        "R212",
        _E,
        "the target belongs to {name}, which names no object",
        "赋值目标的所属对象 {name} 不是任何对象",
        "use table_0, player_N, card_N or 玩家, or operator 1 if a node is meant",
        "请用 table_0、player_N、card_N 或 玩家；若指节点，请用运算符 1",
    ),
    Code(
        "R213",
        _E,
        "player {seat} does not exist: the declared number of players is {players}",
        "玩家 {seat} 不存在：规则声明了 {players} 名玩家",
        "seats are numbered from 0; correct the number or the declared number of players",
        "座位从 0 开始编号；请改正编号或声明的人数",
    ),
    Code(
        "R214",
        _E,
        "the value needs itself: {circle}",
        "该值依赖自身：{circle}",
        "break the circle, for example by keeping a result in a property of the table",
        "请打破循环，例如把结果存入牌桌属性",
    ),
    Code(
        "R215",
        _E,
        "methods call each other in a circle: {circle}",
        "方法循环调用：{circle}",
        "break the circle; repeat with a loop in the match flow instead",
        "请打破循环；需要重复时请在对局流程中用循环",
    ),
    Code(
        "R216",
        _E,
        "recognising the cardset asks for itself: {circle}",
        "判断该牌型需要先判断它自己：{circle}",
        "test for another cardset, or compute here what makes this one",
        "请改为判断其他牌型，或在此处直接计算该牌型的条件",
    ),
    Code(
        "R217",
        _E,
        "{field} leads back to node {target}, so the flow never ends: nothing changes in it",
        "{field} 跳回节点 {target}，流程因此永不结束：其中没有任何变化",
        "let it lead forward, to an end of the flow; use a quantifier (11) to look at every card",
        "请改为向前跳转，通向流程的结束组件；需要检查每张牌时请用组件 11",
    ),
    Code(
        "R218",
        _E,
        "the method {name} has effects, so it cannot be read as a value",
        "方法 {name} 有副作用，不能作为值读取",
        "call it as a statement, and read the properties it assigned",
        "请作为语句调用，再读取它赋值的属性",
    ),
    Code(
        "R219",
        _E,
        "the method {name} has effects, so it cannot be called in this kind of flow",
        "方法 {name} 有副作用，不能在此类流程中调用",
        "recognising and comparing change nothing; call it in the match flow",
        "识别和比较不改变任何状态；请在对局流程中调用",
    ),
    Code(
        "R220",
        _E,
        "{found}, but the deal needs {needed} ({how})",
        "{found}，而发牌需要 {needed} 张（{how}）",
        "lower 'count'{widen}, or add cards",
        "请减小 count{widen}，或增加卡牌",
    ),
    Code(
        "R221",
        _E,
        "the deck would hold more than {limit} cards",
        "牌堆会超过 {limit} 张牌",
        "the deck is the product of all card properties: remove values or properties",
        "牌堆是所有卡牌属性取值的组合：请减少取值或属性",
    ),
    Code(
        "R222",
        _E,
        "quantifiers are nested too deep here: {depth} in each other",
        "集合逻辑嵌套过深：此处有 {depth} 层",
        "move the inner ones into a method, and call it",
        "请把内层的集合逻辑移到方法中，再调用该方法",
    ),
    Code(
        "R223",
        _E,
        "no card has the property {name}, so no card passes this filter of the deal",
        "没有卡牌具有属性 {name}，因此没有牌能通过发牌的这一筛选",
        "correct the name, or declare the property",
        "请改正属性名，或声明该属性",
    ),
    Code(
        "R224",
        _E,
        "no card passes this filter of the deal: {why}",
        "没有牌能通过发牌的这一筛选：{why}",
        "correct the bounds{values}",
        "请改正上下限{values}",
    ),
)
