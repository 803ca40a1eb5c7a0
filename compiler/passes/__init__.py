"""The passes between the rule as written and the emitter, one file each; none imports another."""
