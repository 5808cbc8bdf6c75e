# OPTIONS and METRICS of the man pages match --help and --list-metrics.
tests/man
