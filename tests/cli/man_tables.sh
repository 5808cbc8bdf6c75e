# OPTIONS and METRICS of the man pages are what --help and --list-metrics tell.
tests/man
