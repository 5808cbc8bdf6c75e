# The recorder is killed just before any one of its system calls: --recover brings back everything in the journal, and
# the snapshot is either the old one or the complete new one.
. tests/check.sh
preload badio
export R
[ -z "$asan" ] || skip_all 'a sanitizer must be the first that is loaded'
cd "$D" || exit 1

samples() { "$P" --offline -j - "$1" 2>/dev/null | grep -o '"samples":[0-9]*' | head -n 1 | cut -d: -f2; }

# How many whole regular and early records the bytes of a journal hold, counted without our programs.
records() {
	local head cells
	head=$(head -n 2 "$1" | wc -c) cells=$(sed -n 2p "$1" | grep -o '"columns":.*' | tr , '\n' | wc -l)
	od -An -v -tu4 -j "$head" -w$((20 + 8 * cells)) "$1" 2>/dev/null |
		awk -v words=$((5 + 2 * cells)) 'NF == words { n[$2]++ } END { print n[0] + 0, n[1] + 0 }'
}

# What is wrong with what a killed one left in d, where before.gz had been a.gz.
left() {
	local regular early got
	got=$(samples d/a.gz)
	[ -n "$got" ] || { echo 'the snapshot is damaged'; return; }
	if [ ! -e d/a.gz.partial ]; then
		! cmp -s d/a.gz before.gz || [ ! -e ran ] || echo 'it ran, and nothing is there'
		return
	fi
	read -r regular early < <(records d/a.gz.partial)
	[ $((regular + early)) = 0 ] || recoverable=$((recoverable + 1))
	if "$R" --recover d/a.gz.partial -o d/b.gz 2>said; then
		got=$(samples d/b.gz)
		[ "$got" = "$regular" ] || { [ "$regular" -le 2 ] && [ "$got" = "$early" ]; } ||
			echo "$got of $regular regular and $early early rows came back"
		[ -z "$(ls -A d | grep -v '^[ab]\(\.2\)\?\.gz$\|^\.rtrack-[0-9]*-[0-9]*\.tmp$')" ] || echo "left: $(ls -A d)"
	elif [ $((regular + early)) != 0 ] || [ "$(wc -l <said)" != 1 ]; then
		cat said
	fi
}

"$R" -q -i 0.02 --no-discover-cloud --cgroup off -o before.gz -- sleep 0.01
killed() { # CALL STEP
	local bad='' found i=1 many=0
	recoverable=0
	while [ $i -lt 5000 ]; do
		rm -rf d ran log && mkdir d && cp before.gz d/a.gz
		# The job is let go as well: nobody waits for it.
		BADIO=$1:KILL:$i BADIO_LOG=log LD_PRELOAD=$so "$R" -q -i 0.02 --no-discover-cloud --cgroup off \
			-o d/a.gz -- sh -c 'echo >ran; exec sleep 0.07' 2>/dev/null
		[ -s log ] || break
		left >found
		[ ! -s found ] || bad="$bad
# $1:$i: $(cat found)"
		many=$((many + 1)) i=$((i + $2))
	done
	check_equal "killed before $many calls of $1" "$bad" ''
	all=$((all + many)) could=$((could + recoverable))
}
all=0 could=0
{
	for call in open pwrite write fsync rename close unlink fifo lock; do killed $call 1; done
	killed poll 2
	killed wait 3
	killed read 2
	killed pread "${RTRACK_EXHAUSTIVE:-50}"
} 2>/dev/null
check_equal "in many of which there was something to recover ($could of $all)" "$([ $((3 * could)) -gt $all ] && echo yes)" yes

# At any moment of a life of about 0.1 s, which no call marks.
bad='' kinds=''
{
	for i in $(seq "${RTRACK_ROUNDS:-15}"); do
		rm -rf d ran && mkdir d && cp before.gz d/a.gz
		"$R" -q -i 0.01 --no-discover-cloud --cgroup off -o d/a.gz -- sh -c 'echo >ran; exec sleep 0.06' &
		p=$!
		sleep 0.$(printf %03d $((i * 137 % 110)))
		kill -KILL $p
		wait $p
		kinds="$kinds $(cmp -s d/a.gz before.gz && echo old || echo new)$(
			ls d/a.gz.partial | sed 's/.*/+journal/')"
		left >found
		[ ! -s found ] || bad="$bad
# $i: $(cat found)"
	done
} 2>/dev/null
check_equal "killed at any moment: $(echo $kinds | tr ' ' '\n' | sort | uniq -c | tr -s '\n ' ' ')" "$bad" ''

# So is --recover: the journal stays until the snapshot stands.
"$R" -q -i 0.01 --no-discover-cloud --cgroup off -o j.gz -- sh -c '"$R" --mark one; exec sleep 9' 2>/dev/null &
until [ -e j.gz.partial ] && [ "$(wc -c <j.gz.partial)" -gt 30000 ]; do kill -0 $! || break; done
kill -KILL $!
wait $! 2>/dev/null
cp j.gz.partial copy && "$R" -q --recover copy -o ref.gz
bad='' many=0
for call in open pread write fsync rename close unlink lock; do
	for i in $(seq 30); do
		rm -rf d log && mkdir d && cp before.gz d/a.gz && cp j.gz.partial d/
		BADIO=$call:KILL:$i BADIO_LOG=log LD_PRELOAD=$so "$R" -q --recover d/j.gz.partial -o d/a.gz
		[ -s log ] || break
		many=$((many + 1))
		cmp -s d/a.gz before.gz || cmp -s d/a.gz ref.gz || bad="$bad $call:$i: damaged;"
		[ ! -e d/j.gz.partial ] || "$R" -q --recover d/j.gz.partial -o d/a.gz || bad="$bad $call:$i: no more;"
		cmp -s d/a.gz ref.gz || bad="$bad $call:$i: lost;"
	done
done 2>/dev/null
check_equal "--recover killed before $many of its calls" "$bad" ''
check_equal 'which were some' "$([ $many -gt 10 ] && echo yes)" yes
echo "1..$n"
