"""The command line. Every module of this folder with a `command` is a subcommand, loaded when it
is used: `openaclnn ops` must not wait for what `openaclnn bench` needs."""
