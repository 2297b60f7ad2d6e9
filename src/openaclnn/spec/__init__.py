"""The language that operators are written in: arguments, rules, formula."""
