"""Recognition and comparison of plays as a person would write and tune them: what the compiled packages are held to.

One module a rule, each with `recognize(cards)` and `beats(now, before)`, or with the match as one more argument where
the rule's cardsets read the table. They were written from the rule files and language.md by somebody who had not seen
the generated code, and must stay so: whoever makes them faster looks at the rule, not at `build/`.

Two liberties that hand-tuned code takes: a play keeps the very list that it was made from, and plays share the
dictionaries of their properties, in which therefore nobody may write.
"""
