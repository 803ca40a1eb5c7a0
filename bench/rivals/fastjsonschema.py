"""fastjsonschema: JSON Schema turned into Python code once."""

from __future__ import annotations

from typing import Any

import fastjsonschema  # type: ignore[import-not-found]

from bench.rivals.serve import Task, serve

SHAPE = fastjsonschema.compile(
    {
        "type": "object",
        "properties": {
            "token": {"type": "string"},
            "method": {"type": "string"},
            "discard": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["token", "method", "discard"],
    }
)


def has_the_shape(reply: Any) -> bool:
    """Whether it looks like a reply."""
    try:
        SHAPE(reply)
    except fastjsonschema.JsonSchemaException:
        return False
    return True


if __name__ == "__main__":
    serve("fastjsonschema", {"check-a-reply": Task(has_the_shape)})
