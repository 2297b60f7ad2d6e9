"""How fast operators are, beside what else is installed: `openaclnn bench`.

`grid` says which cases there are, `layouts` and `operands` lay them out in memory, `ways` and
`alternatives` turn a case into calls, `measuring` times them in turns, `record` keeps the result,
and `tables` and `targets` tell what it says.
"""
