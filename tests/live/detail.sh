# --detail: what each device has is what the kernel says of it, and all together are the machine's columns.
. tests/check.sh
cd "$D" || exit

detail() { zcat "$1" | grep -o '"detail_metrics":.*' | grep -oE "\"$2\":\[[^]]*\]" | sed 's/.*\[//; s/\]//' | tr , '\n'; }
system() { zcat "$1" | grep -o '"system_metrics":.*"detail_metrics"' | grep -oE "\"$2\":\[[^]]*\]" | sed 's/.*\[//; s/\]//' | tr , '\n'; }
start() { zcat "$1" | grep -o '"start_time":[0-9.]*' | head -n 1 | cut -d: -f2; }
total() { awk '{ s += $1 } END { printf "%.6f", s }'; }
# Seconds of a series of cores.
seconds() { paste <(detail "$1" "$2") <(system "$1" timestamp) | awk -v t="$(start "$1")" '$1 != "null" { s += $1 * ($2 - t) } { t = $2 } END { printf "%.4f", s }'; }
cpu_ticks() { awk -v c="cpu$1" '$1 == c { print $2 + $3 + $4 }' /proc/stat; }
all_of() { zcat "$1" | grep -o '"detail_metrics":.*' | grep -oE "\"$2\.[^\"]*\.$3\":\[[^]]*\]" | sed 's/.*\[//; s/\]//' | awk -F, '{ for (i = 1; i <= NF; i++) s[i] += $i; n = NF } END { for (i = 1; i <= n; i++) printf "%.4f\n", s[i] }'; }

# A busy loop on one CPU: that CPU's time is the kernel's.
cpu=$(taskset -cp $$ | sed 's/.*: //; s/.*[-,]//')
if [ -n "$cpu" ] && grep -q "^cpu$cpu " /proc/stat; then
	before=$(cpu_ticks "$cpu")
	"$R" -q --no-discover-cloud --detail -i 0.25 -o a.gz -- taskset -c "$cpu" "$T/deed" burn 4 truth
	after=$(cpu_ticks "$cpu")
	kernel=$(awk "BEGIN { print ($after - $before) / $(getconf CLK_TCK) }")
	check_near "CPU $cpu has the time that the kernel says" "$(seconds a.gz "cpu.$cpu.usage")" "$kernel" 0.02 0.05
	check_that 'and at least that of the loop' "$(seconds a.gz "cpu.$cpu.usage") >= 0.98 * $(cat truth) - 0.03"
	check_equal 'no CPU is over one core' "$(zcat a.gz | grep -o '"cpu\.[0-9]*\.usage":\[[^]]*' | sed 's/.*\[//' | tr , '\n' | awk '$1 > 1' | wc -l)" 0
else
	skip 'a busy CPU' 'no CPU of our own'
	"$R" -q --no-discover-cloud --detail -i 0.25 -o a.gz -- "$T/deed" burn 4 truth
fi

# Every reading may be a tick off for each CPU, and what is reported too late comes in the next row.
cpus=$(zcat a.gz | grep -o '"detail_metrics":.*' | grep -oE '"cpu\.[0-9]+\.usage"' | wc -l)
check_equal 'all CPUs are there' "$cpus" "$(grep -c '^cpu[0-9]' /proc/stat)"
check_near 'the CPUs together are the machine' \
	"$(paste <(all_of a.gz cpu usage) <(system a.gz timestamp) | awk -v t="$(start a.gz)" '{ s += $1 * ($2 - t); t = $2 } END { print s }')" \
	"$(paste <(system a.gz utime) <(system a.gz stime) | awk '{ s += $1 + $2 } END { print s }')" 0.01 "0.03 * $cpus"

# Bytes: row by row, and with real traffic of the disks where there are any.
"$R" -q --no-discover-cloud --detail -i 0.2 -o b.gz -- sh -c 'dd if=/dev/zero of=big bs=1M count=64 conv=fsync 2>/dev/null; sleep 1'
for pair in 'interface received_bytes net_recv_bytes' 'interface sent_bytes net_sent_bytes' \
	'disk read_bytes disk_read_bytes' 'disk written_bytes disk_write_bytes'; do
	# shellcheck disable=SC2086
	set -- $pair
	if [ -z "$(all_of b.gz "$1" "$2")" ]; then
		skip "$1 $2" 'this machine has none'
		continue
	fi
	check_equal "each $1's $2 together are $3, in each row" "$(all_of b.gz "$1" "$2")" "$(system b.gz "$3" | awk '{ printf "%.4f\n", $1 }')"
done
if [ -z "$(all_of b.gz file_system used_bytes)" ]; then
	skip 'the space' 'this machine shows no file system, as in a chroot'
else
	check_near 'and so is the space' "$(all_of b.gz file_system used_bytes | tail -n 1)" \
		"$(system b.gz disk_space_used_gb | tail -n 1 | awk '{ printf "%.0f", $1 * 1024 ^ 3 }')" 0.001 6e6
fi

# An interface that appears, and goes: null where it was not.
if unshare -n sh -c 'ip link add rt0 type veth peer name rt1' 2>/dev/null; then
	unshare -n "$R" -q --no-discover-cloud --detail -i 0.1 -o c.gz -- sh -c 'sleep 0.5; ip link add rt0 type veth peer name rt1; sleep 0.6; ip link del rt0; sleep 0.6'
	row=$(detail c.gz interface.rt0.sent_bytes | tr '\n' ' ')
	check_equal 'an interface that came and went' "$(sed -E 's/(null )+/null /g; s/(0 )+/0 /g' <<<"$row")" 'null 0 null '
else
	skip 'an interface that came and went'
fi

# The page says so too, of a run that ended and of one that was killed.
"$P" --offline a.gz -o a.html --json a.json 2>/dev/null
check 'the page has the section' grep -q 'id="detail"' a.html
setsid "$R" -q --no-discover-cloud --detail -i 0.05 -o k.gz -- sleep 300 &
p=$!
wait_until larger k.gz.partial 40000
kill -KILL -- -$p
wait $p 2>/dev/null
"$P" --offline k.gz.partial -o k.html 2>/dev/null
check 'of a journal too' grep -q 'id="detail"' k.html
"$R" -q --recover k.gz.partial
check_equal 'and what is recovered has the rows' "$(detail k.gz cpu.0.usage | wc -l)" "$(system k.gz timestamp | wc -l)"
echo "1..$n"
