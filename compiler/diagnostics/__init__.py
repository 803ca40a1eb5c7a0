"""What is wrong with a rule and where: codes, places, sentences and remedies in two languages, and what collects them."""
