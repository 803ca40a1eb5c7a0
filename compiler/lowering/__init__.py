"""From the model to the intermediate representation: types found, references resolved, coercions explicit."""
