"""Names that rules might use: plain ones first, then those that are hard on whoever turns names into code.

Among the hard ones are keywords of Python and of the rule language, names of the runtime's own attributes, quotes,
newlines, braces, full width letters (which Python folds to plain ones) and pairs that become equal as identifiers.
"""

from __future__ import annotations

from tests.rulegen.choose import Chooser, several, weighted

CARD_PROPERTIES = (
    *("点数", "花色", "point", "suit", "rank", "weight"),
    *(
        "class",
        "values",
        "restore",
        "id",
        "self",
        "hand",
        "len",
        "sorted",
        "int",
        "a",
        "b",
        "cards",
        "game",
        "number",
    ),
    *(
        "card rank",
        "card-rank",
        "it's",
        'a"b',
        "{x}",
        "x\ny",
        "1st",
        "Ａ",
        "A",
        "__class__",
        "None",
        "a\u2028b",
        "点 数",
    ),
)
PLAYER_PROPERTIES = (
    *("得分", "round_wins", "score", "bid", "队伍"),
    *(
        "seat",
        "id",
        "手牌数",
        "hand",
        "values",
        "restore",
        "game",
        "class",
        "def",
        "self",
        "wins!",
        "wins?",
        "结算分",
    ),
    *("'''", '"""', "back\\slash", "ｓcore", "__init__", "number"),
)
TABLE_PROPERTIES = (
    *("winner_index", "轮数", "flag", "倍数", "last"),
    *(
        "class",
        "import",
        "players",
        "deck",
        "game",
        "table",
        "values",
        "restore",
        "cur_max",
        "player_index",
        "玩家池",
    ),
    *(
        "index",
        "x y",
        "x_y",
        "x-y",
        "#comment",
        "}}",
        "{{ x }}",
        "%d",
        "\\N{DASH}",
        "ｌast",
        "len",
        "RESPELLED",
        "\x00",
    ),
)
CARDSET_PROPERTIES = (
    "权重",
    "weight",
    "x",
    "len",
    "class",
    "cards",
    "content",
    "a.b",
    "it's",
    "长 度",
)
CARDSET_NAMES = (
    *("Single", "Pair", "对子", "顺子", "Triple"),
    *(
        "class",
        "None",
        "recognize",
        "beats",
        "len",
        "a b",
        "a_b",
        'q"q',
        "x\ny",
        "1",
        "{}",
        "炸 弹",
        "Ｐair",
        "build_Pair",
    ),
)
CARDSET_IDS = ("1", "2", "3", "10", "02", "x", "牌3", "k9k", "class", "a b", "007")
METHOD_NAMES = (
    *("结算分", "score", "count", "test"),
    *(
        "class",
        "values",
        "restore",
        "__init__",
        "len",
        "seat",
        "得分",
        "two words",
        "play!",
        "f'",
        "sorted",
        "as_nothing",
    ),
)
PARAMETERS = (
    *("倍数", "x", "which", "多少"),
    *(
        "game",
        "self",
        "len",
        "A",
        "b",
        "class",
        "int",
        "x y",
        "it's",
        "cards",
        "at",
        "table_0",
        "点数",
        "list",
    ),
)
NODE_WORDS = (
    *("m_player_index", "to_end", "牌1", "v_zero", "cmp"),
    *(
        "class",
        "return",
        "值 3",
        "x'",
        'y"',
        "self",
        "len",
        "A",
        "b",
        "start",
        "settle",
        "[fail]",
        "# no",
        "a\nb",
        "-",
        "None",
    ),
)
UNDECLARED = ("made_up", "没有声明", "hands", "lambda", "extra point")
NONSENSE = ("nothing_here", "不存在", "player_", "table_1", "1.5", "--1", "1 2")


def names(
    choose: Chooser, pool: tuple[str, ...], low: int, high: int, plain: int = 5
) -> list[str]:
    """Between `low` and `high` different names, from the first `plain` of the pool or from all of it."""
    part = weighted(choose, [(1, pool[:plain]), (1, pool)])
    return several(choose, part, low, high)
