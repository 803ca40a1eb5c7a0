"""The compiler: rule JSON in, the text of a Python package out. `pipeline` is the way in; nothing here runs in a match."""
