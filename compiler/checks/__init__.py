"""What a well-formed rule says that cannot mean anything, or hardly what its author meant: refusals and warnings."""
