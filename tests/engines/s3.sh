#!/bin/bash
# Only make test-release runs it.
# Recordings in a real S3 store (tests/engines/s3.bash): straight, and through a proxy that breaks things. The subjects are
# tests/engines/s3/*.bash; S3='objects faults' tests these alone.
. tests/check.sh
. tests/engines/s3.bash
missing=$(s3_missing)
[ -z "$missing" ] || skip_all "$missing is not installed"
unset "${!AWS_@}" "${!RTRACK_@}" http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY
clean_up() {
	local pid
	for pid in "${running[@]}"; do end_tree "$pid"; done
	s3_stop
}
trap 'exit 130' INT TERM
mark_of=() begun=0 running=() # sessions of recorders and others in the background
docs=$PWD/docs engines=$PWD/tests/engines parts=$PWD/tests/engines/s3 make=$B/tests/bench/fleet_make
export HOME=$D/home PATH=$B:$PATH
mkdir "$D/home" && cd "$D" || exit 1
check 'an S3 server starts' s3_start
[ -n "$s3_gateway" ] || { tail -n 30 "$S/log/out" | sed 's/^/# /'; exit 1; }
check 'and a proxy' proxy_start

# Run a program; its output is in the files out and err, and in everything, which is searched for secrets at the end.
report() { ran "$P" "$@"; }
many() { ran "$F" "$@"; }
ran() {
	timeout 120 "$@" >out 2>err
	local status=$?
	cat out err >>everything
	return $status
}
page() { report --offline "$@"; }
# Columns of a CSV but those of states: a journal has all of these, a snapshot those in which the job was.
stateless() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /state_/ }
	{ for (i = 1; i <= NF; i++) if (keep[i]) printf "%s,", $i; print "" }' "$1"; }
same_samples() { cmp <(stateless "$1") <(stateless "$2"); }
begins_with() { cmp <(stateless "$1" | head -n "$(wc -l <"$2")") <(stateless "$2"); }
put() { report --put "$@"; }
get() { report --get "$@"; }
fleet() { many groups --offline --rate-cpu 0.04 --rate-memory 0.005 --json "$@"; }
# How many rows open depends on the room that is left on the page, and so on the length of the sources' names.
same_models() { sed -i 's/"opens":true/"opens":false/g' "$@" && node "$engines/fleet_compare.mjs" models "$@"; }
fails() { ! "$@"; }

# A command in a session of its own: $session is its process. All that it starts has a variable of its own, so that all of it can be
# found and killed, also what changed its session or lost its parent.
begin() { # OUTPUT COMMAND…
	begun=$((begun + 1))
	S3_TEST=$$-$begun- setsid "${@:2}" >"$1" 2>&1 &
	session=$!
	running+=("$session")
	mark_of[session]=$$-$begun-
}
tree() { # SESSION
	[ -z "${mark_of[$1]}" ] || grep -l -s -a -F -e "S3_TEST=${mark_of[$1]}" /proc/[0-9]*/environ | cut -d/ -f3
}
end_tree() {
	# shellcheck disable=SC2046
	kill -KILL $(tree "$1") 2>/dev/null
	wait "$1" 2>/dev/null
}
# The processes of a session whose command line has the words, the oldest first.
processes_of() { # SESSION WORDS
	# shellcheck disable=SC2046
	ps -o pid=,args= --sort=start_time -p "$(tree "$1" | paste -sd,)" 2>/dev/null | awk -v words="$2" 'index($0, words) { print $1 }'
}
process_of() { processes_of "$@" | head -n 1; }
has_object() { s3 list "$1" "$2" | grep -q .; } # BUCKET PREFIX

"$R" -q -i 0.05 --no-discover-cloud -o a.json.gz -- sh -c 'for i in 1 2 3 4; do sleep 0.1; done' 2>>everything
page --csv file.csv a.json.gz
for part in ${S3:-objects credentials errors faults uploads recorders killed policies fleet watch secrets}; do
	began=$EPOCHREALTIME
	# shellcheck disable=SC1090
	. "$parts/$part.bash"
	rules
	s3_as owner
	echo "# $part: $(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $began }") s"
done
echo "1..$n"
