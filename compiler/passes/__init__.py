"""What is known about a lowered rule, and what follows from it: passes that answer questions, for `emit` and `explain`."""
