# The OPTIONS section of the man pages is made from --help.
tests/man
