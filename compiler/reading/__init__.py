"""From the bytes of a rule file to the model: places in the text, and everything that has not the form of a rule."""
