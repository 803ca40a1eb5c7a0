"""What the tests of `adopt` share: a stand-in for the visual builder, and edits of rules."""
