"""`python -m dealwright`: the command line."""

from dealwright.compiler.cli.commands import main

if __name__ == "__main__":
    main()
