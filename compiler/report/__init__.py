"""What is shown of rule files: their problems, what was decided about them, their schema; for people and for tools."""
