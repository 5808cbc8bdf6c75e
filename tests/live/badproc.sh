# /proc and /sys answer slowly, wrongly or not at all: the command does not notice, rows keep their times, and a note
# says what could not be read.
. tests/check.sh
preload badproc
[ -z "$asan" ] || skip_all 'a sanitizer must be the first that is loaded'
cd "$D" || exit 1

times() { awk -F, 'NR > 1 { print $1 }' a.csv; }
notes() { grep -o '"notes":\[[^]]*\]' a.json | grep -oE '"([^"\\]|\\.)*"' | tail -n +2; }
record() { # RULES COMMAND…
	rm -f a.* log
	BADPROC=$1 BADPROC_LOG=log LD_PRELOAD=$so timeout 60 "$R" -q -i 0.05 --no-discover-cloud \
		--csv process --csv-file a.csv -o a.gz -- "${@:2}" 2>err
	status=$?
	[ $status = 125 ] && return
	zcat a.gz >a.json
	"$P" --offline -o a.html a.gz 2>>err || echo "no page" >>err
}
# What is wrong after a run under RULES; nothing where nothing is.
wrong() { # RULES
	record "$1" sh -c '"$0" burn 0.05 truth; sleep 0.1; exit 7' "$T/deed"
	[ -e log ] || echo 'nothing was hit;'
	if [ $status = 125 ]; then
		[ "$(grep -c '^rtrack-collect: ' err) of $(wc -l <err)" = '1 of 1' ] || echo "$(cat err);"
		return
	fi
	[ $status = 7 ] || echo "status $status;"
	[ ! -s err ] || echo "$(cat err);"
	times | awk '$1 < last { exit 1 } { last = $1 }' || echo 'times fall;'
	[ "$(notes | sort | uniq -d)" = '' ] || echo 'a note twice;'
	[ "$(notes | grep -vc '\."$')" = 0 ] || echo "no sentences: $(notes);"
	# Not less than what was used, and not the same twice.
	case $2 in none) ;; *) awk "BEGIN { exit !($(cpu_time a.gz) >= 0.95 * $(cat truth) && $(cpu_time a.gz) < 1.5 * $(cat truth) + 0.02) }" ||
		echo "CPU $(cpu_time a.gz) of $(cat truth);" ;; esac
}

proc='/proc/[0-9]*'
for one in /proc/stat:EIO:2 /proc/meminfo:EMPTY:2+ '/proc/*/net/dev:TORN:2+' "$proc/mountinfo:HALF:1+" \
	'/proc/pressure/*:GARBAGE:3+' "$proc/stat:EIO:12" "$proc/stat:EMPTY:14+" "$proc/stat:TORN:20" \
	"$proc/io:EIO:2+" "$proc/smaps_rollup:EMPTY:2+" "$proc/status:GARBAGE:2+" \
	'/proc/*/children:EIO:2+' '/sys/*:EMPTY:2+' "$proc/schedstat:HALF:2"; do
	check_equal "$one" "$(wrong "${one%%:*}:read:${one#*:}")" ''
done
for fault in EIO GARBAGE TORN; do
	check_equal "$fault for all, once" "$(wrong "/proc/*:read:$fault:60 /sys/*:read:$fault:2")" ''
done
# Where a process can't be seen for long, what it used is in no row but the last.
for fault in ENOMEM EMPTY HALF HUGE ESRCH; do
	check_equal "$fault for all, from one moment on" "$(wrong "/proc/*:read:$fault:70+ /sys/*:read:$fault:3+" none)" ''
done
check_equal 'EMFILE for all that is opened, from one moment on' "$(wrong '/*:open:EMFILE:90+' none)" ''
for i in 1 2 3 8 21; do
	check_equal "EIO for the opening of number $i" "$(wrong "/*:open:EIO:$i")" ''
done

# What is missing is missing, and said once.
record '/proc/meminfo:read:EIO:1+' sleep 0.2
check_equal 'memory is not known: a note' "$(notes | grep -c "The machine's memory is not known: /proc/meminfo: Input/output error")" 1
"$P" --offline -j - a.gz | grep -o '"memory_used":{[^}]*}' | head -n 1 >cell
check_equal 'and no number' "$(grep -c '"max":[0-9]' cell)" 0
# The first ones are made at the start. On a busy machine other reads than those of a sample can have these numbers.
for i in 20 25 30 16; do
	record "$proc/stat:read:GARBAGE:$i $proc/stat:read:GARBAGE:$((i + 1))" "$T/deed" burn 1 truth
	[ "$(notes | grep -c 'could not be read at times')" != 1 ] || break
done
check_equal 'a process that could not be read once is said' "$(notes | grep -c 'could not be read at times')" 1

# A file that takes 2 s: the command starts at once, and the samples are late, not many.
record '/proc/diskstats:read:SLOW:6 /proc/stat:read:SLOW:9' sh -c 'date +%s.%N >began; sleep 2.5'
check_equal 'slow: status' $status 0
check_equal 'slow: it is hit' "$(wc -l <log)" 2
check_equal 'slow: the command began before' \
	"$(awk -v b="$(cat began)" 'NR == 2 { print (b < $1 + 1) }' FS=, a.csv)" 1
check_equal 'slow: late samples are skipped, and said' "$(notes | grep -c 'skipped: rtrack-collect was woken too late')" 1
check_equal 'slow: and none comes twice' "$(times | sed '$d' | awk 'NR > 1 && $1 - last < 0.004 { n++ } { last = $1 } END { print n + 0 }')" 0
record '/proc/*:open:SLOW:2' sh -c 'exit 7'
check_equal 'slow before the start: status' $status 7
echo "1..$n"
