"""A match in the terminal: a person against computer players, or computer players alone (`dealwright play`)."""
