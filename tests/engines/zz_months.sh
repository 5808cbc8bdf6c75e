
#!/bin/bash
# Catalogs in a real ClickHouse: one node, and two shards (tests/engines/clickhouse.bash); beside SQLite and DuckDB.
. tests/check.sh
. tests/engines/clickhouse.bash
[ "$(id -u)" = 0 ] || skip_all 'only root may start a ClickHouse'
command -v clickhouse-server >/dev/null || skip_all 'clickhouse-server is not installed'
unset "${!RTRACK_@}" http_proxy https_proxy all_proxy
clean_up() { clickhouse_stop; }
trap 'exit 130' INT TERM
engines=$PWD/tests/engines make=$B/tests/bench/fleet_make
chmod 755 "$D" && cd "$D" || exit 1
check 'two ClickHouse servers start' clickhouse_start
[ ${#servers[@]} = 2 ] || exit 1
one=http://127.0.0.1:$port two=http://127.0.0.1:$((port + 1))
for i in 0 1; do for name in a c k w g s m marked hostile login; do ask $i "CREATE DATABASE $name"; done; done

fleet() { # MODEL ARGUMENT…
	timeout 120 "$F" groups --offline --rate-cpu 0.04 --rate-memory 0.005 --json "$@" 2>>err
}
add() { timeout 120 "$F" add --catalog "$1" "${@:2}" 2>&1; }
same() { node "$engines/fleet_compare.mjs" "$@"; }

# -- the same 2,000 runs, from all engines ---------------------------------------------------------------------------
check '2,000 recordings' "$make" --samples=40 2000 runs
check 'into ClickHouse' add "$one/a" runs
runs() { timeout 120 "$F" runs --offline --rate-cpu 0.04 --rate-memory 0.005 --csv - "$@" 2>>err; }
# -- months that are over are dropped, with the same pages as when each of their rows is marked ----------------------------
check 'an empty catalog' add "$one/m"
columns=$(ask 0 "SELECT arrayStringConcat(groupArray(name), ',') FROM system.columns WHERE database = 'm' AND table = 'runs'
	AND name NOT IN ('source', 'start', 'version', 'gone', 'rtrack_schema')")
day=86400 now=$(date +%s)
aged() { # DATABASE, DAYS, PREFIX, WHICH: the rows of these sources, as if they had been added so many days ago
	ask 0 "INSERT INTO $1.runs (source, start, version, $columns)
		SELECT concat('$3', source), toFloat64($now - $2 * $day - 600), $now - $2 * $day, $columns FROM a.runs FINAL WHERE gone = 0 AND $4"
}
ask 0 'CREATE TABLE marked.runs AS m.runs ENGINE = ReplacingMergeTree(version) ORDER BY source'
ask 0 'CREATE TABLE marked.folders AS m.folders'
for name in m marked; do
	for days in 10 70 130 190; do aged $name $days "/$days" "cityHash64(source) % 8 = 0"; done
	aged $name 70 /130 "cityHash64(source) % 16 = 0" # recordings that have changed: of those of the oldest months, newer rows
	aged $name 10 /190 "cityHash64(source) % 32 = 0"
	# and some are forgotten
	ask 0 "INSERT INTO $name.runs (source, gone, version) SELECT source, 1, $now - 70 * $day FROM $name.runs FINAL
		WHERE startsWith(source, '/190') AND cityHash64(source) % 3 = 0 AND version < $now - 100 * $day"
done
months() { # DAYS: how many months are there up to the one in which that was
	ask 0 "SELECT uniqExact(partition) FROM system.parts WHERE active AND database = 'm' AND table = 'runs'
		AND toUInt32(partition) <= toYYYYMM(toDateTime($now - $1 * $day))"
}
on_disk() { ask 0 "SELECT count() FROM $1.runs"; }
over() { # DAYS: what both say, and whether their pages and lists are the same
	local name
	for name in m marked; do "$F" forget --catalog "$one/$name" --older-than "$1d" / >"forgot.$name" 2>&1; done
	check "older than $1 days: $(cat forgot.m)" cmp forgot.m forgot.marked
	fleet m.json --catalog "$one/m" && fleet marked.json --catalog "$one/marked"
	check 'the same page' same models m.json marked.json
	runs --catalog "$one/m" >m.csv && runs --catalog "$one/marked" >marked.csv
	check 'and the same runs' cmp m.csv marked.csv
}
check_equal 'three months before this one or the last' "$(months 190) $(months 130) $(months 70)" '1 2 3'
for name in m marked; do
	ask 0 "INSERT INTO $name.runs (source, version, $columns) SELECT '/unknown', $now - 190 * $day, $columns FROM a.runs LIMIT 1"
done
over 100
check_equal 'a run whose start is unknown keeps its month, and the later ones stay too' "$(months 70)" 3
for name in m marked; do "$F" forget --catalog "$one/$name" /unknown >/dev/null 2>&1; done
over 100
check_equal 'two months are dropped' "$(months 130) $(months 70)" '0 1'
over 40
check_equal 'and one more' "$(months 70)" 0
check_that 'which frees space' "$(on_disk m) < $(on_disk marked)"
for name in m marked; do aged $name 0 /190 "cityHash64(source) % 8 = 0"; done
over 5 # what is added again is there
check_that 'which is so' "$(runs --catalog "$one/m" | wc -l) > 100"
# The statements of docs/clickhouse.md for a table without months.
sed -n '/^A table that was made without months/,/^## /s/^\(CREATE\|INSERT\|RENAME\)/&/p' "$engines/../../docs/clickhouse.md" >moves
while read -r statement; do curl -sS "$one/?database=marked" --data-binary "$statement" >>moved; done <moves
check_equal 'a table without months is moved' "$(wc -l <moves) $(cat moved)" '3 '
over 5
check_equal 'and then its months are dropped' "$(ask 0 "SELECT uniqExact(partition) < 3 FROM system.parts WHERE active AND database = 'marked' AND table = 'runs'")" 1

# -- killed at any time, 50 times ------------------------------------------------------------------------------------
rm -rf /tmp/xs/chout; cp -r . /tmp/xs/chout 2>/dev/null; echo "1..$n"
