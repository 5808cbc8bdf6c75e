# What is recorded, against what is known to have happened: CPU time, peak memory, bytes, names.
. tests/check.sh
. tests/live/truth.bash
cd "$D" || exit 1
total() { zcat a.gz | grep -o '"totals":{[^}]*}' | grep -oE "\"$1\":[0-9.]+" | head -n 1 | cut -d: -f2; }

record -i 0.2 "$T/deed" daemon 0.6 end truth
check_near 'a daemon stays counted while the command lives' "$(cpu)" "$(cat truth)" 0.05
record -i 0.2 --wait-all "$T/deed" daemon 1.5 0.2 truth
check_near 'and after it, where that is asked' "$(cpu)" "$(cat truth)" 0.02

# 300 ms that fall between two samples.
record -i 2 "$T/deed" hold 1024 300 2.5
check_near '1 GiB for 300 ms is the peak' "$(total peak_rss_bytes)" $((1 << 30)) 0.02
check_that 'also of its process, in PSS' "$(zcat a.gz | grep -o '"tree":.*' | grep -oE '"peak_pss_bytes":[0-9]+' | cut -d: -f2 | sort -n | tail -n 1) >= 0.98 * 2 ^ 30"
check_that 'which a sample after it told already' "$(zcat a.gz | grep -o '"tree":.*' | grep -oE '"memory_bytes":\[[^]]*' | grep -oE '[0-9]+' | sort -n | tail -n 1) >= 2 ^ 30"

for name in 'a b c d e' 'x) R 1 (y' ') S 1 1 1'; do
	record -i 0.1 "$T/deed" name "$name" 0.5 truth
	check_near "a process called '$name'" "$(cpu)" "$(cat truth)" 0.02
	check_that 'is known by its name' "$(zcat a.gz | grep -oE '"names":\[[^]]*' | grep -cF "\"$name\"") == 1"
done

# A file system in memory writes nothing.
fs=$(stat -f -c %T .)
record -i 0.5 "$T/deed" write 100
check_that '100 MiB that a child wrote' "\"$fs\" == \"tmpfs\" || ($(sum write_bytes) >= 95 * 1048576 && $(sum write_bytes) <= 105 * 1048576)"

# read(2) and write(2) count whatever they are on; a whole run between two samples, and one that samples see.
for i in 5 0.1; do
	record -i $i sh -c 'dd if=/dev/zero bs=1M count=60 2>/dev/null | dd of=/dev/null bs=64k 2>/dev/null; sleep 0.3'
	check_near "60 MiB through a pipe, read twice, a row each $i s" "$(total rchar_bytes)" $((120 << 20)) 0.01
	check_near 'and written twice' "$(total wchar_bytes)" $((120 << 20)) 0.01
done
record -i 0.1 python3 -c 'import mmap, time; m = mmap.mmap(-1, 3 << 30); time.sleep(0.5); m.close(); time.sleep(0.3)'
check_that '3 GiB of addresses that were never touched' "$(total peak_virtual_bytes) >= 3 * 2 ^ 30 && $(total peak_virtual_bytes) < 3.5 * 2 ^ 30"

record -i 0.1 "$T/deed" unwaited 50 10
check_that 'children that nobody waits for are said to be missing' "$(zcat a.gz | grep -c 'SIGCHLD') == 1"
check_that 'and no row is negative' "$(cell utime | awk '$1 < 0' | wc -l) == 0"

echo "1..$n"
