# Writing fails at any one system call, as on a bad disk: the command does not notice, and the recording is readable.
. tests/check.sh
preload badio
[ -z "$asan" ] || skip_all 'a sanitizer must be the first that is loaded'
cd "$D" || exit 1

reads() { "$P" --offline -j - "$1" 2>why >json && grep -q '"samples":[1-9]' json; }

# What is wrong after a run under RULE; nothing where nothing is. A snapshot of before stands at OUT.
run() { # RULE
	rm -rf d log && mkdir d && cp before.gz d/a.gz
	BADIO=$1 BADIO_LOG=log LD_PRELOAD=$so "$R" -q -i 0.05 --no-discover-cloud --cgroup off \
		-o d/a.gz -- sh -c 'sleep 0.13; echo out; exit 7' >out 2>err
	status=$?
	[ -s log ] || return 0
	said=$(grep -c '^rtrack-collect: ' err)
	[ "$said" = "$(wc -l <err)" ] || echo "stderr: $(cat err)"
	# The snapshot of before has another name once there is a new one, or a temporary one, which is said.
	ls -A d | grep -v '^a\.gz\(\.partial\)\?$' | while read -r f; do
		[ "$f" = a.2.gz ] || grep -qF "$f" err || echo "left behind: $(ls -A d)"
		cmp -s before.gz "d/$f" || echo "not the one of before: $f"
	done
	[ -n "$(find d -type f -exec cmp -s {} before.gz \; -print)" ] || echo 'the one of before is lost'
	reads d/a.gz || grep -q 'holds no samples' why || echo "OUT: $(cat why)"
	if [ $status = 125 ]; then
		[ ! -s out ] || echo 'ran, and 125'
		[ "$said" = 1 ] || echo "$said sentences before the start"
		cmp -s before.gz d/a.gz || echo 'OUT changed before the start'
		return
	fi
	[ $status = 7 ] || echo "status $status"
	[ "$(cat out)" = out ] || echo "output $(cat out)"
	if cmp -s before.gz d/a.gz; then # it was not replaced: the journal must be there
		reads d/a.gz.partial || [ -n "$first" ] || echo ".partial: $(cat why)"
		[ "$said" -ge 1 ] || echo 'nothing is said'
	fi
}

"$R" -q -i 0.05 --no-discover-cloud --cgroup off -o before.gz -- sh -c 'sleep 0.02'
sleep 0.01

# Every call of every kind fails once, as long as there is one more; harmless ones say nothing.
each() { # CALL ERROR LEAST MOST: how many sentences
	local bad='' i found
	for i in $(seq 60); do
		first=
		found=$(run "$1:$2:$i")
		[ -s log ] || break
		said=$(wc -l <err)
		[ -z "$found" ] && [ "$said" -ge "$3" ] && [ "$said" -le "$4" ] && continue
		[ "$1:$i" = fsync:2 ] && [ -z "$found" ] && continue # the folder's, which not all can
		bad="$bad $1:$2:$i: ${found:-$said sentences};"
	done
	check_equal "$2 at each of $((i - 1)) calls of $1" "$bad" ''
	[ "$i" -gt 1 ] || [ "$1" = ftruncate ] || check_equal "$1 is called" "$i" 'more than 1'
}
each pwrite EIO 1 1
each pwrite ENOSPC 1 1
each pwrite EINTR 0 0
each pwrite SHORT 0 0
for call in open write fsync rename; do each $call EIO 1 1; done
each write EDQUOT 1 1
each write EINTR 0 0
each write SHORT 0 0
each fsync EINTR 0 0
each close ESTALE 0 1
each close EINTR 0 0

# From one call on, all fail.
bad=
for i in 2 3 5 7; do
	first=1
	found=$(run "pwrite:ESTALE:$i+ ftruncate:ESTALE:1+ \
write:ESTALE:1+ fsync:ESTALE:1+ rename:ESTALE:1+ close:ESTALE:1+")
	said=$(wc -l <err)
	[ -z "$found" ] && [ "$said" -ge 1 ] && [ "$said" -le 2 ] || bad="$bad $i: $found, $said sentences;"
	if [ $i -le 3 ]; then # the header alone
		[ ! -e d/a.gz.partial ] && ! grep -q 'kept in' err || bad="$bad $i: kept: $(cat err);"
	else
		reads d/a.gz.partial || bad="$bad $i: .partial: $(cat why);"
	fi
done
check_equal 'a server that is gone while it runs' "$bad" ''

# A disk that is full before the first regular row: the early ones are the recording.
rm -rf d && mkdir d
BADIO=pwrite:ENOSPC:4+ LD_PRELOAD=$so "$R" -q -i 0.5 --no-discover-cloud --cgroup off -o d/a.gz \
	-- sleep 1.2 2>err
check_equal 'a long run with early rows alone: status' $? 0
check_equal 'one sentence' "$(wc -l <err)" 1
check_equal 'they are kept' "$(reads d/a.gz && echo yes)" yes
check_equal 'and it is noted why there are no more' \
	"$(zcat d/a.gz | grep -c 'stopped early: .*No space left')" 1

# One that is full before any row: the whole run is one.
rm -rf d && mkdir d
BADIO=pwrite:ENOSPC:2+ LD_PRELOAD=$so "$R" -q -i 0.5 --no-discover-cloud --cgroup off -o d/a.gz \
	-- sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; sleep 1.2; exit 7' 2>err
check_equal 'a run without any row of the journal: status' $? 7
check_equal 'it is one row' "$("$P" --offline -j - d/a.gz | grep -o '"samples":[0-9][0-9]*' | sort -u)" '"samples":1'
zcat d/a.gz >text
check_equal 'with what the whole run used' "$(grep -o '"process_metrics".*' text |
	grep -oE '"(u|s)time":\[[0-9.]+' | head -n 2 | cut -d'[' -f2 | awk '{ s += $1 } END { print (s > 0.005) }')" 1
check_equal 'and it is noted why' "$(grep -c 'stopped early: .*No space left' text)" 1

# With the cgroup's files, and the CSV's.
bad=
for i in 1 2 3 4 5 6; do
	rm -rf d log && mkdir d
	BADIO="write:EIO:$i" BADIO_LOG=log LD_PRELOAD=$so "$R" -q -i 0.05 --no-discover-cloud --csv process \
		--csv-file d/csv -o d/a.gz -- sh -c 'sleep 0.13; echo out; exit 7' >out 2>err
	status=$?
	[ -s log ] || break
	case $status:$(cat out) in 7:out | 125:) ;; *) bad="$bad $i: $status $(cat out);" ;; esac
	[ $status = 125 ] || reads d/a.gz || reads d/a.gz.partial || bad="$bad $i: $(cat why);"
	[ "$(wc -l <err)" -le 1 ] || bad="$bad $i: $(cat err);"
done
check_equal 'writes to all of its files, one by one' "$bad" ''
echo "1..$n"
