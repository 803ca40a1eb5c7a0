"""The rule as its author wrote it: the model, the table of components, what refers to what, and names."""
