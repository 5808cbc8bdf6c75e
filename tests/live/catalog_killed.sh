# A long test: only make test-all runs it.
#
# A writer of a catalog is killed 50 times.
KILLS=50
. tests/live/catalog.sh
