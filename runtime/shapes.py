"""Type names that several modules of the runtime share.

Nothing here exists at run time but the names. `Json` is what `json.loads` gives; `Function` is any function of a
generated package, when only its source matters and never what it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Never, TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Function: TypeAlias = Callable[[Never], object]
