"""From the intermediate representation to text: expressions, statements, modules, and the two doors for user text."""
