# Little may be read, opened or allocated: the command's exit status is kept, and the snapshot has rows.
. tests/check.sh
[ -z "$asan" ] || ulimit -c 0
chmod 777 "$D"
cd "$D" || exit 1
export R P D

rows() { "$P" --offline -j - "$1" 2>err | grep -o '"samples":[0-9]*' | head -n 1 | cut -d: -f2; }
notes() { zcat a.gz | grep -o '"notes":\[[^]]*\]' | grep -oE '"([^"\\]|\\.)*"' | tail -n +2; }
# Every note is a sentence, with its full stop.
sentences() { check_equal "$1: notes are sentences" "$(notes | grep -vc '\."$')" 0; }
has_rows() { check_equal "$1: the snapshot has rows" "$([ "$(rows a.gz)" -gt 0 ] && echo yes)" yes; }

# Runs rtrack-collect under a command: COMMAND… that ends by executing its arguments.
try() { # NAME COMMAND…
	rm -f a.gz*
	"${@:2}" "$R" -q -i 0.05 --no-discover-cloud -o "$D/a.gz" -- sh -c 'sleep 0.2; exit 7' 2>err
	check_equal "$1: the command's status" $? 7
	check_equal "$1: nothing is said" "$(wc -l <err)" 0
	has_rows "$1"
	sentences "$1"
}
says() { # NAME PATTERN: in a note of the last recording
	check_equal "$1: a note says so" "$(notes | grep -c "$2")" 1
}
# Where nothing can be recorded the command runs all the same, and a sentence says so.
unrecorded() { # NAME PATTERN COMMAND…
	rm -f a.gz*
	"${@:3}" "$R" -q -i 0.05 --no-discover-cloud -o "$D/a.gz" -- sh -c 'exit ${RTRACK_MARK:-7}' 2>err
	check_equal "$1: the command's status" $? 7
	check_equal "$1: one sentence" \
		"$(grep -c "^rtrack-collect: the command runs without a recording: .*$2" err) of $(wc -l <err)" '1 of 1'
	check_equal "$1: nothing is left" "$(find . -name 'a.gz*' -o -name '.rtrack*')" ''
	"${@:3}" "$R" -q -o "$D/a.gz" -- ./none 2>err
	check_equal "$1: a command that is not there" "$? $(grep -c '^rtrack-collect: ./none: No such file' err)" '127 1'
}
can() { "$@" true 2>/dev/null; }
tried() { # NAME COMMAND…: where the command can be had
	if can "${@:2}"; then try "$@"; else skip "$1"; fi
}

try 'no environment' env -i
# A sanitizer reserves terabytes of addresses.
if [ -n "$asan" ]; then
	skip 'little memory'
else
	for mib in 64 20 14; do
		try "$mib MiB of addresses" bash -c "ulimit -v $((mib * 1024)); exec \"\$@\"" -
	done
	unrecorded '5 MiB of addresses' 'no memory' bash -c 'ulimit -v 5120; exec "$@"' -
fi
# The limit is the command's, too. A sanitizer warns of a stack that it does not know.
[ -n "$asan" ] || for kib in 64 80; do try "$kib KiB of stack" bash -c "ulimit -s $kib; exec \"\$@\"" -; done
try '64 descriptors' bash -c 'ulimit -n 64; exec "$@"' -
try '16 descriptors' bash -c 'ulimit -n 16; exec "$@"' -
says '16 descriptors' 'At most 16 files may be open'
check_equal '16 descriptors: CPU time and memory are measured all the same' \
	"$(notes | grep -c 'CPU time is not known\|memory is not known\|could not be read')" 0
unrecorded '10 descriptors' 'Too many open files' bash -c 'ulimit -n 10; exec "$@"' -
rm -f a.gz*
(ulimit -Sn 16 && ulimit -Hn 200 && "$R" -q -o "$D/a.gz" -- sh -c 'ulimit -Sn; ulimit -Hn' >limit 2>err)
has_rows 'a soft limit of 16'
check_equal 'a soft limit of 16 is raised for us' "$(notes | grep -c 'files may be open')" 0
check_equal 'and not for the command' "$(tr '\n' ' ' <limit)" '16 200 '

# Calls that a filter answers with an error, one by one and all of them.
deny=$B/tests/live/deny
calls='clone3 openat2 pidfd_open prctl prlimit64 sched_getaffinity statx statfs fsync flock uname
	faccessat2 socket getdents64 mknodat waitid getrusage ftruncate fchmod'
[ -z "$asan" ] || calls='clone3 pidfd_open fsync faccessat2 mknodat'
# prctl is what sets the filter; the most that can go together goes together.
together=$(echo $calls | sed 's/ *\(prctl\|waitid\|getdents64\)//g; s/ /,/g')
"$deny" EPERM fchmod true
if [ $? = 120 ]; then skip 'calls that are denied'; else
	for errno in EPERM ENOSYS; do
		for call in $calls "$together"; do
			try "$errno for $call" "$deny" "$errno" "$call"
			case $call in
			prctl) says "$errno for $call" 'could not be adopted' ;;
			*mknodat*) says "$errno for $call" "cannot be marked" ;;
			getdents64) says "$errno for $call" 'system_processes was not measured' ;;
			esac
		done
	done
fi
# A captured machine is read without links where the kernel cannot confine them.
captured() { # COMMAND…: its first row, without the time
	rm -f c.csv a.gz*
	"$@" "$R" -q -i 0.05 --csv system --csv-file c.csv --root "$MACHINES/container" -o "$D/a.gz" 2>err &
	while kill -0 $! 2>/dev/null && ! grep -q '^[0-9]' c.csv 2>/dev/null; do sleep 0.05; done
	kill -INT $! 2>/dev/null
	wait $!
	head -n 2 c.csv | cut -d, -f2-
}
with=$(captured)
for errno in ENOSYS EPERM; do
	"$deny" $errno fchmod true
	[ $? = 120 ] || check_equal "a captured machine, $errno for openat2" "$(captured "$deny" $errno openat2)" "$with"
done
check_equal 'it has rows' "$(echo "$with" | wc -l)" 2
tried 'another namespace of users' unshare -U
tried 'a namespace of processes' unshare -pf --mount-proc
tried 'no /sys' unshare -m bash -c 'mount -t tmpfs none /sys && exec "$@"' -
# A sanitizer needs /proc itself.
no_proc=(unshare -m bash -c 'mount -t tmpfs none /proc && exec "$@"' -)
if [ -z "$asan" ] && can "${no_proc[@]}"; then
	try 'no /proc' "${no_proc[@]}"
	says 'no /proc' 'could not be seen while it ran'
	says 'no /proc, of the machine' 'CPU time is not known: /proc/stat: No such file'
	rm -f a.gz
	"${no_proc[@]}" "$R" -q -i 0.05 -o a.gz -- "$B/tests/live/deed" burn 0.3 truth 2>err
	"$P" --offline -j - a.gz >json 2>>err
	check_equal 'no /proc: the CPU time is exact all the same' \
		"$(zcat a.gz | grep -o '"[us]time":\[[0-9.]*\]' | head -n 2 | grep -o '[0-9.]*' |
			awk -v truth="$(cat truth)" '{ s += $1 } END { print (s > 0.97 * truth && s < 1.2 * truth + 0.02) }')" 1
	check_equal 'no /proc: one row' "$(rows a.gz)" 1
	rm -f a.gz
	"${no_proc[@]}" "$R" -q -i 0.05 -o a.gz -p 1 2>err
	check_equal 'no /proc, a process to follow: refused' "$? $(grep -c '/proc/stat: No such file' err)" '1 1'
else
	skip 'no /proc'
fi
tried 'hidden processes' unshare -pf -m bash -c \
	'mount -t proc -o hidepid=2 proc /proc && exec "$@"' -
tried 'a /tmp that is read-only' unshare -m bash -c 'mount --bind "$D" "$D" &&
	mount --rbind /tmp /tmp && mount -o remount,bind,ro /tmp && exec "$@"' -

# As another user: following what is root's, by itself and with hidden processes.
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if [ "$(id -u)" = 0 ] && can "${nobody[@]}"; then
	tried 'as another user' "${nobody[@]}"
else
	skip 'as another user'
fi
if [ "$(id -u)" = 0 ] && can "${nobody[@]}" && can unshare -m; then
	rm -f a.gz*
	# Where /proc hides processes of others already, one that does not is mounted over it.
	unshare -m bash -c 'mount -t proc -o hidepid=0 proc /proc 2>/dev/null; sleep 1.01 &
		setpriv --reuid 65534 --regid 65534 --clear-groups "$R" -q -i 0.05 \
		--no-discover-cloud -o "$D/a.gz" -p $!' 2>err
	check_equal "a process of root's: status" $? 0
	check_equal "a process of root's: nothing is said" "$(wc -l <err)" 0
	has_rows "a process of root's"
	zcat a.gz >text
	check_equal "a process of root's: what is missing is said once" \
		"$(grep -o 'PSS of 1 process\|reads and writes of 1 process' text | sort | uniq -c | tr -s '\n ' ' ')" \
		' 1 PSS of 1 process 1 reads and writes of 1 process '
	# Its threads' files say nothing to others.
	! grep -qE '^[0-9]+ [0-9]+ [1-9]' /proc/self/schedstat ||
		check_equal "a process of root's: what it waits for is not known" \
			"$(grep -oE '"states":\{"seconds":\{.*"exact_s"' text | head -n 1 | grep -oE '"[a-z_]+":\{"value' | grep -v cpu)" '"unknown":{"value'
else
	skip "a process of root's"
fi
if [ "$(id -u)" = 0 ] && can "${nobody[@]}" &&
	can unshare -pf -m bash -c 'mount -t proc -o hidepid=2 proc /proc'; then
	rm -f a.gz*
	unshare -pf -m bash -c 'mount -t proc -o hidepid=2 proc /proc; sleep 1.02 &
		setpriv --reuid 65534 --regid 65534 --clear-groups "$R" -q -i 0.05 \
		--no-discover-cloud -o "$D/a.gz" -p $!; s=$?; wait; exit $s' 2>err
	check_equal 'a process that is hidden: status' $? 1
	check_equal 'a process that is hidden: one sentence' "$(wc -l <err)" 1
	check_equal 'a process that is hidden: no file' "$(ls -A | grep -c 'a\.gz')" 0
else
	skip 'a process that is hidden'
fi
echo "1..$n"
