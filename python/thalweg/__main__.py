"""`python -m thalweg app.py` runs a program; with anything else it is the command `thalweg`."""

import sys

from thalweg.cli import main

arguments = sys.argv[1:]
if arguments and arguments[0].endswith(".py"):
    arguments = ["run", *arguments]
sys.exit(main(arguments))
