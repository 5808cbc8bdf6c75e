# What the shell tests share. A test is started in the root of the repository with B=BUILD, and sources this file
# first: . tests/check.sh
#
#   $B $R $P $F $T  the build folder, rtrack-collect, rtrack-report, rtrack-fleet, the test programs, as absolute paths
#   $D              an empty folder for the test, removed at the end; the test enters it itself: cd "$D"
#   $build          $B from the root of the repository, for make
#   $asan           not empty in a build with a sanitizer
#   $n              the number of checks so far: the last line of a test is echo "1..$n"
#
#   check NAME COMMAND…             passes if the command succeeds; its output is shown if it fails
#   check_equal NAME GOT EXPECTED   passes if both strings are the same
#   check_that NAME CONDITION       passes if awk finds the condition true: '1.5 <= 2 && 3 > 2'
#   check_near NAME VALUE TRUTH SHARE [MORE]   passes within SHARE of the truth, and MORE beyond that
#       A check that fails shows the file err, if there is one.
#   skip NAME [WHY]                 counts a check that cannot be made here
#   skip_all WHY                    ends the test, which cannot be made here
#   wait_until COMMAND…             repeats the command until it succeeds; fails after two minutes
#   has FILE TEXT, larger FILE SIZE   for wait_until: whether there is such a file
#   process_column FILE NAME        the values of a column of the processes' rows in a snapshot, one a line
#   cpu_time FILE                   the CPU seconds of all rows in a snapshot
#   preload NAME                    $so is the library of tests/fake/NAME.c, for LD_PRELOAD
#   dialogue NAME STATUS PROGRAM…   passes if the program, on a terminal, ends with STATUS; the steps are standard
#                                   input (tests/live/pty.c)
#   clean_up                        a test may define it again: it runs at the end, before $D is removed
build=$(realpath --relative-to=. "$B") # for make, which cannot bear a blank in it
B=$(realpath "$B") || exit 1
R=$B/rtrack-collect P=$B/rtrack-report F=$B/rtrack-fleet T=$B/tests/live n=0 asan=
! grep -q __asan_init "$R" || asan=1
D=$(mktemp -d) || exit 1
# A name without blanks: LD_PRELOAD is a list.
preload() {
	so=$D.so
	ln -s "$B/tests/fake/$1.so" "$so" || exit 1
}
clean_up() { :; }
trap 'clean_up; rm -rf "$D" "$D.out" "$D.so"' EXIT

passed() { echo "ok $((n += 1)) - $1"; }
failed() { # NAME [WHY]
	echo "not ok $((n += 1)) - $1${2:+ ($2)}"
	[ ! -s err ] || head -n 20 err | cat -v | sed 's/^/# /'
}
check() {
	if "${@:2}" >"$D.out" 2>&1; then
		passed "$1"
	else
		failed "$1"
		sed 's/^/# /' "$D.out"
	fi
}
check_equal() { if [ "$2" = "$3" ]; then passed "$1"; else failed "$1" "$2, not $3"; fi; }
check_that() { if awk "BEGIN { exit !($2) }"; then passed "$1"; else failed "$1" "$2"; fi; }
check_near() { check_that "$1" "($2) - ($3) <= ($3) * ($4) + (${5:-0}) && ($3) - ($2) <= ($3) * ($4) + (${5:-0})"; }
skip() { echo "ok $((n += 1)) - $1 # SKIP ${2:-not permitted here}"; }
skip_all() {
	skip 'all' "$1"
	echo 1..1
	exit
}

wait_until() {
	local end=$((SECONDS + 120))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.02
	done
}
has() { grep -q -e "$2" "$1" 2>/dev/null; }
larger() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }

process_column() {
	zcat "$1" | grep -o '"process_metrics".*"system_metrics"' | grep -oE "\"$2\":\[[^]]*\]" | tr ':[,]' '\n' |
		grep -E '^[-0-9.]+(e[-+]?[0-9]+)?$'
}
cpu_time() {
	{ process_column "$1" utime && process_column "$1" stime; } | awk '{ s += $1 } END { printf "%.6f", s }'
}

dialogue() {
	local status
	"$T/pty" "${@:3}" >screen 2>err
	status=$?
	if [ $status = "$2" ]; then
		passed "$1"
	else
		failed "$1" "status $status"
		cat -v screen | tail -n 20 | sed 's/^/# /'
	fi
}
