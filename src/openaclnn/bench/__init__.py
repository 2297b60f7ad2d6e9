"""How fast the operators are, beside what else is installed: `openaclnn bench`.

`grid` says which cases there are, `operands` lays them out in memory, `ways` and `alternatives`
turn a case into calls, `measuring` times them in turns, `record` keeps the result, and `report`,
`targets`, `change`, `plot` and `page` tell what it says.
"""
