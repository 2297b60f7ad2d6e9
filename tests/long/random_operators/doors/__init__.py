"""One module for each door. `CHECKS` are functions of a call that tell what is wrong in sentences;
`together` is one of all calls."""
