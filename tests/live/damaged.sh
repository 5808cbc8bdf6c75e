# A journal is damaged in the middle: every intact sample is read, a message says what is lost, and the journal is
# kept.
. tests/check.sh
cd "$D" || exit 1

samples() { "$P" --offline -j - "$1" 2>err | grep -o '"samples":[0-9]*' | head -n 1 | cut -d: -f2; }
: >err

"$R" -q -i 0.01 --no-discover-cloud --cgroup off -o whole.gz -- sh -c 'touch began; exec sleep 60' &
until [ -e began ] && [ "$(wc -c <whole.gz.partial)" -gt 60000 ]; do kill -0 $! || break; done
kill -KILL $!
wait $! 2>/dev/null
columns=$(head -n 2 whole.gz.partial | tail -n 1 | grep -ao '"columns":.*' | tr ',' '\n' | wc -l)
head=$(head -n 2 whole.gz.partial | wc -c) record=$((20 + 8 * columns)) size=$(wc -c <whole.gz.partial)
records=$(((size - head) / record)) all=$(samples whole.gz.partial)
check_equal 'the journal is whole' "$(((size - head) % record)) $([ "$all" -gt 60 ] && echo many)" '0 many'
# A record may hold processes instead of a sample (core/files/journal.h), also the last one: that is left out.
is_sample() { [ "$(od -An -t u4 -j $((head + record * $1 + 4)) -N 4 whole.gz.partial)" -le 1 ]; }
until is_sample $((records - 1)); do
	records=$((records - 1)) size=$((size - record))
	truncate -s $size whole.gz.partial
done
first=$((records - 20))
until is_sample $first; do first=$((first - 1)); done
at=$((head + record * first))

# NAME SAMPLES SENTENCE: what is read of a.gz.partial, and that it stays as it is.
damaged() {
	cp a.gz.partial before
	check_equal "$1: samples" "$(samples a.gz.partial)" "$2"
	check_equal "$1: the report has a note" \
		"$("$P" --offline --text - a.gz.partial 2>err | tr -s '\n ' '  ' | grep -c "The journal is damaged at byte $3")" 1
	rm -f a.gz
	"$R" --recover a.gz.partial >out 2>err
	check_equal "$1: recovered" "$? $(grep -c "a.gz.partial is kept: The journal is damaged at byte $3" err)" '0 1'
	check_equal "$1: so many" "$(tail -n 1 err)" "rtrack-collect: recovered $2 samples; snapshot: a.gz"
	check_equal "$1: the journal stays as it was" "$(cmp a.gz.partial before && ls a.gz*)" 'a.gz
a.gz.partial'
	check_equal "$1: the snapshot has as many" "$(samples a.gz)" "$2"
	# Means are over the time that there are samples of: the two agree, but for the milliseconds to which a snapshot's
	# times are rounded.
	for f in a.gz a.gz.partial; do
		"$P" --offline -j - $f 2>err | grep -o '"process_memory":{[^}]*}' | head -n 1
	done >means
	check_equal "$1: the same peaks" "$(grep -o '"max":[0-9.]*' means | sort -u | wc -l)" 1
	mapfile -t means < <(grep -o '"mean":[0-9.]*' means | cut -d: -f2)
	check_near "$1: the same means" "${means[0]}" "${means[1]}" 0.001
}
cp whole.gz.partial a.gz.partial
printf '\125\252' | dd of=a.gz.partial bs=1 seek=$((at + 100)) conv=notrunc 2>/dev/null
damaged 'two wrong bytes' $((all - 1)) "$at: 1 record, $record bytes could not be read"
cp whole.gz.partial a.gz.partial
# One of them may be the command's entry in the list of processes (core/files/journal.h).
aside=0
for i in 0 1 2 3 4; do
	flags=$(od -An -t u4 -j $((at + i * record + 4)) -N 4 a.gz.partial)
	aside=$((aside + (flags > 1)))
done
head -c $((record * 5)) /dev/zero | dd of=a.gz.partial bs=1 seek="$at" conv=notrunc 2>/dev/null
damaged 'a hole of zeros' $((all - 5 + aside)) "$at: 5 records, $((record * 5)) bytes could not be read"
{ head -c $((at + 50)) whole.gz.partial && tail -c +$((at + 150 + 1)) whole.gz.partial; } >a.gz.partial
damaged 'bytes that are missing' $((all - 1)) "$at: 1 record, $((record - 100)) bytes could not be read"
{ cat whole.gz.partial && head -c 5000 /dev/urandom; } >a.gz.partial
damaged 'rubbish at the end' "$all" "$size: 5000 bytes could not be read"
cp whole.gz.partial a.gz.partial
truncate -s $((size - 100)) a.gz.partial
rm -f a.gz
"$R" -q --recover a.gz.partial 2>err
check_equal 'the last write cut short: nothing is said, the journal goes' "$? $(wc -l <err) $(ls a.gz*)" '0 0 a.gz'
check_equal 'and one sample' "$(samples a.gz)" $((all - 1))
# The job itself does it. It waits until the journal has grown by samples, and by its own processes.
cat >grown <<'J'
until [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; do sleep 0.1; done
J
some=$((head + 20 * record))
"$R" -q -i 0.05 --no-discover-cloud -o cut.gz -- sh -c "
	sh grown cut.gz.partial $some; size=\$(stat -c %s cut.gz.partial)
	: >cut.gz.partial; sh grown cut.gz.partial \$((size + 30 * $record)); exit 3" 2>err
check_equal 'a job that empties the journal: its status' $? 3
lost='[0-9]* of [0-9]* samples are lost, and processes may be missing'
check_equal 'and one sentence' "$(grep -c "^rtrack-collect: another process has changed the journal cut.gz.partial: $lost$" err) of $(wc -l <err)" '1 of 1'
check_equal 'and a note' "$(zcat cut.gz | grep -c "Another process has changed the journal cut.gz.partial: $lost\.")" 1
check_that 'the samples since are there, and none of 1970' \
	"$(samples cut.gz) >= 3 && $(zcat cut.gz | grep -o '"timestamp":\[[^]]*' | head -n 1 | sed 's/.*\[//' | tr ',' '\n' | sort -n | head -n 1) > 1e9"
# It removes it, or puts a file of its own there, which stays.
gone='^rtrack-collect: another process has removed or replaced the journal gone.gz.partial$'
"$R" -q -i 0.05 --no-discover-cloud -o gone.gz -- sh -c "sh grown gone.gz.partial $some; rm gone.gz.partial; sleep 0.2" 2>err
check_equal 'a job that removes the journal: one sentence' "$(grep -c "$gone" err) of $(wc -l <err)" '1 of 1'
check_that 'and all samples' "$(samples gone.gz) >= 4"
rm gone.gz
"$R" -q -i 0.05 --no-discover-cloud -o gone.gz -- sh -c 'echo mine >x; mv x gone.gz.partial; sleep 0.2' 2>err
check_equal 'a job that replaces the journal: one sentence' "$(grep -c "$gone" err) of $(wc -l <err)" '1 of 1'
check_equal 'and its file stays' "$(cat gone.gz.partial)" mine
rm gone.gz gone.gz.partial
mkdir gone
"$R" -q -i 0.05 --no-discover-cloud -o gone/gone.gz -- sh -c 'sleep 0.2; rm -r gone' 2>err
check_equal 'a job that removes the folder: nothing is said to be kept' "$(grep -c 'the samples are lost with gone/gone.gz.partial:' err) $(grep -c kept err)" '1 0'
echo "1..$n"
