"""Which cards of a hand are worth judging, found out from the rule's own judgement.

The generated `recognize` is run on stand-ins for cards, of which nothing is known (`standins`), once for every way
that its questions can be answered (`exploring`); what has to be so of the cards where it finds a play is a `Form`
(`forms`), and a hand is searched for cards of these forms (`seeking`). Whatever is found is judged by the rule all the
same: forms may be too wide, never too narrow.
"""
