"""Where the text of a package goes: a folder brought up to date, a module in memory, shared objects by mypyc."""
