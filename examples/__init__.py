"""Games written by hand on the runtime, for people who write a server and want to see how the pieces go together."""
