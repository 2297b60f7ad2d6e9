"""`python -m openaclnn`: the command `openaclnn`."""

from openaclnn.cli.main import main

main()
