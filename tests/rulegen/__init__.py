"""Random rules, generated whole: what the agreement test and the figures draw their rules from.

`rules.rules()` is the hypothesis strategy; `rules.generate(chooser)` makes a rule from any source of choices. Nothing
here imports the compiler: a generated rule is a JSON document, made from the format's description alone.
"""
