"""`dealwright adopt`: a rule file that the visual builder has renumbered gets the ids of its former nodes back."""
