"""The intermediate representation: values, steps, and the trees of statements that graphs become."""
