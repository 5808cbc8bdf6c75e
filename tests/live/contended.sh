#!/bin/bash
# A job beside programs that take its CPUs is contended: its recording, its sentence and its gate say so. One that has
# the machine for itself is not.
. tests/check.sh
burners=()
for _ in $(seq $((2 * $(nproc)))); do
	(while :; do :; done) &
	burners+=($!)
done
"$B/rtrack-collect" -q -i 0.2 -o "$D/busy.json" -- sh -c 'i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done'
kill "${burners[@]}"
of() { grep -oE "\"$1\":[0-9.]+" "$D/busy.json" | head -n 1 | cut -d: -f2; }
check_that "others kept it waiting for $(of contended_s) of $(of wall_s) s" "$(of contended_s) > 0.3 * $(of wall_s)"
"$B/rtrack-report" --offline --text "$D/busy.txt" --fail-if contended "$D/busy.json" 2>"$D/busy.err"
check_equal 'the gate fails it' $? 3
check_equal 'the text says so' "$(grep -c 'Contended: other programs kept it' "$D/busy.txt")" 1

# Like a build: many short processes, as many at a time as there are CPUs.
used() { awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print ($2 + $3 + $4 + $7 + $8) / hz }' /proc/stat; }
before=$(used)
"$B/rtrack-collect" -q -i 0.2 -o "$D/quiet.json" -- sh -c 'seq 40 | xargs -P "$(nproc)" -I{} sh -c "i=0; while [ \$i -lt 30000 ]; do i=\$((i + 1)); done"'
after=$(used)
of() { grep -oE "\"$1\":[0-9.]+" "$D/quiet.json" | head -n 1 | cut -d: -f2; }
others=$(awk "BEGIN { print ($after - $before - $(of cpu_s)) / $(of wall_s) }")
if awk "BEGIN { exit !($others < 0.2) }"; then
	check_that "a build alone waited for others for $(of contended_s) of $(of wall_s) s" "$(of contended_s) <= 0.05 * $(of wall_s)"
else
	skip 'a build alone' "others used $others cores"
fi
echo "1..$n"
