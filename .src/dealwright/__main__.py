"""`python -m dealwright`: the command line."""

from dealwright.compiler.cli import main

if __name__ == "__main__":
    main()
