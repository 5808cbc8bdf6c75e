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
check 'into SQLite' add runs.db runs
check 'into ClickHouse' add "$one/a" runs
check_equal 'a cluster lacks tables at first, and says so' \
	"$(add "$one/c?cluster=two" runs | grep -c 'makes it on each node')" 1
check 'into two shards, from the second node' add "$two/c?cluster=two" runs
check_that 'each shard has about half' "$(ask 0 'SELECT count() FROM c.runs_local') > 700 && $(ask 1 'SELECT count() FROM c.runs_local') > 700"
check 'a page of the files alone' fleet files.json runs
check 'a page of SQLite' fleet sqlite.json --catalog runs.db
check 'a page of ClickHouse' fleet one.json --catalog "$one/a"
check 'a page of two shards' fleet two.json --catalog "$one/c?cluster=two"
check 'all say the same' same models files.json sqlite.json one.json two.json
for by in user 'host,name' label:slurm.partition; do
	query=(--group-by "$by" --where 'wall_s > 600' --since 2020-01-01)
	fleet q.sqlite.json --catalog runs.db "${query[@]}"
	fleet q.one.json --catalog "$one/a" "${query[@]}"
	fleet q.two.json --catalog "$two/c" "${query[@]}"
	check "by $by, too" same models q.sqlite.json q.one.json q.two.json
done
# -- single runs -----------------------------------------------------------------------------------------------------
runs() { timeout 120 "$F" runs --offline --rate-cpu 0.04 --rate-memory 0.005 --csv - "$@" 2>>err; }
for sort in -start start -memory_peak cpu_efficiency -cost user; do
	query=(--sort "$sort" --where 'wall_s > 60' --where 'label:slurm.partition!=x')
	runs "${query[@]}" --catalog runs.db >r.sqlite.csv
	runs "${query[@]}" --catalog "$one/a" >r.one.csv
	runs "${query[@]}" --catalog "$two/c" >r.two.csv
	check "the list of runs by $sort" cmp r.sqlite.csv r.one.csv
	check 'and of two shards' cmp r.sqlite.csv r.two.csv
done
if [ -d "$engines/duckdb/node_modules" ]; then
	node "$engines/duckdb/query.mjs" "$D/runs" >duckdb.json 2>>err
	check 'and so does DuckDB' same duckdb one.json duckdb.json
else
	skip 'and so does DuckDB' 'its npm package is not installed'
fi
check_equal 'adding again adds nothing' "$(add "$one/a" runs)" 'added 0 of 2,000 recordings'
check_equal 'nor on shards' "$(add "$one/c?cluster=two" runs)" 'added 0 of 2,000 recordings'

# -- with --since, the months before it are not read: rows are in partitions by when they came ------------------------------
check 'an empty catalog' add "$one/s"
ask 0 "INSERT INTO s.runs (source, id, name, start, wall_s, class, version) VALUES
	('/new', '1', 'new', $(($(date +%s) - 3600)), 60, 1, $(date +%s)),
	('/old', '2', 'old', $(($(date +%s) - 3600)), 60, 1, $(($(date +%s) - 100 * 86400)))"
names() { runs --catalog "$one/s" "$@" | sed -n 's/^"[0-9]*","\([a-z]*\)".*/\1/p' | paste -sd ' '; }
check_equal 'all rows' "$(names)" 'new old'
check_equal 'those that came since then' "$(names --since 30d)" 'new'

# -- forgetting ------------------------------------------------------------------------------------------------------
folder=$(find "$D/runs" -mindepth 1 -type d | head -1) folder=${folder:-$D/runs}
in_it=$(find "$folder" -name '*.gz' | wc -l)
for catalog in "$one/a" "$one/c"; do
	check_equal "what is below a folder is forgotten: $catalog" \
		"$("$F" forget --catalog "$catalog" "$folder" 2>&1 | tr -d ,)" "removed $in_it recordings"
	check_equal 'and added again' "$(add "$catalog" runs | tr -d ,)" "added $in_it of 2000 recordings"
done
fleet again.json --catalog "$one/a"
check 'as it was' same models one.json again.json

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
for catalog in "$one/k" killed.db; do
	kills=0
	for _ in {1..50}; do
		"$F" add --catalog "$catalog" runs >/dev/null 2>&1 &
		pid=$!
		sleep "0.0$((RANDOM % 80 + 10))"
		kill -KILL $pid 2>/dev/null && kills=$((kills + 1))
		wait $pid 2>/dev/null
	done
	check "after $kills kills, the rest is added: ${catalog##*/}" add "$catalog" runs
	fleet killed.json --catalog "$catalog"
	check 'and all is there once' same models sqlite.json killed.json
done

# -- two writers at once ---------------------------------------------------------------------------------------------
for catalog in "$one/w" writers.db; do
	add "$catalog" runs >w1 &
	pid=$!
	add "$catalog" runs >w2
	wait $pid
	fleet writers.json --catalog "$catalog"
	check "two writers at once: ${catalog##*/}" same models sqlite.json writers.json
done

# -- a run that is added before it ends, and after ------------------------------------------------------------------------
mkdir live
"$R" -o live/a.json.gz --interval 0.1 -- sleep 600 >/dev/null 2>&1 &
pid=$!
wait_until test -s live/a.json.gz.partial && sleep 1
for catalog in "$one/w" writers.db; do add "$catalog" live >/dev/null; done
kill $pid && wait $pid 2>/dev/null
for catalog in "$one/w" writers.db; do
	check_equal "it is added when it has ended: ${catalog##*/}" "$(add "$catalog" live)" 'added 1 of 1 recording'
	check_equal 'and is one row' "$("$F" forget --catalog "$catalog" live 2>&1)" 'removed 1 recording'
done

# -- states and ends, in a catalog of version 2, which lacks them --------------------------------------------------------
mkdir states
"$R" -o states/a.json.gz --name waits --asked cpus=1 --interval 0.1 -- sleep 2 >/dev/null 2>&1
"$R" -o states/b.json.gz --name waits --asked cpus=1 --interval 0.1 -- timeout 2 sleep 60 >/dev/null 2>&1
check 'runs with states, into SQLite' add states.db states
ask 0 'CREATE DATABASE o' && add "$one/o" states >/dev/null
in_groups() { # GROUPED BY, CATALOG: what states took most of the time, and why runs ended
	"$F" groups --offline --csv - --catalog "$@" 2>>err | node -e '
		const [head, ...rows] = require("fs").readFileSync(0, "utf8").trim().split("\n").map(line => line.split(","));
		for (const row of rows)
			console.log(["name", "runs", "mostly", "ends"].map(id => row[head.indexOf(`"${id}"`)]).join(" "));'
}
for catalog in states.db "$one/o"; do
	check_equal "mostly, and why they ended: ${catalog##*/}" "$(in_groups "$catalog")" '"waits" 2 "idle" "1 × its time was up"'
done
ask_for() { "$F" ask --input 1GiB --for slurm --catalog "$1" 2>>err; } # CATALOG: what to ask for next
asked=$(ask_for states.db)
check 'what to ask for, of SQLite' grep -q '^--cpus-per-task=1 --mem=128M$' <<<"$asked"
check_equal 'and the same of ClickHouse' "$(ask_for "$one/o")" "$asked"
old='ALTER TABLE o.runs DROP COLUMN input_bytes, DROP COLUMN input_sizes, DROP COLUMN mostly, DROP COLUMN end_cause, DROP COLUMN mostly_code, DROP COLUMN end_code,'
check 'a catalog of version 2' ask 0 "$old MODIFY COLUMN rtrack_schema UInt16 DEFAULT 2"
check_equal 'it can be read' "$(in_groups "$one/o")" '"waits" 2  '
check_equal 'what to ask for follows from it as well' "$(ask_for "$one/o")" "$asked"
touch -d '1 minute ago' states/b.json.gz
check_equal '--add adds the columns, and what has changed' "$(add "$one/o" states | tail -n 1)" 'added 1 of 2 recordings'
check_equal 'which has them' "$(in_groups "$one/o")" '"waits" 2 "idle" "1 × its time was up"'

# -- a server that goes away -----------------------------------------------------------------------------------------
"$F" add --catalog "$one/g" >/dev/null 2>&1
timeout 120 "$F" add --catalog "$one/g" runs >gone 2>&1 &
pid=$!
some_are_there() { [ "$(ask 0 'SELECT count() > 0 FROM g.runs' 2>/dev/null)" = 1 ]; }
wait_until some_are_there
clickhouse_end 0
wait $pid
status=$?
check_that 'a server that goes away: the command ends' "$status == 0 || $status == 1 || $status == 2"
check_equal 'without a server, a sentence' "$(add "$one/g" runs | grep -c "127.0.0.1:$port: no connection")" 1
clickhouse_again 0
check 'when it is back, the rest is added' add "$one/g" runs
fleet gone.json --catalog "$one/g"
check 'and all is there' same models sqlite.json gone.json
clickhouse_end 1
check_equal 'a shard that is gone does not make a smaller page' "$(fleet shard.json --catalog "$one/c"; echo $?) $(grep -c 'a node of the cluster' err)" '1 1'
clickhouse_again 1

# -- passwords -------------------------------------------------------------------------------------------------------
export RTRACK_CATALOG_USER=ann
check_equal 'without a password' "$(add "$one/login" runs | grep -c 'wrong user or password')" 1
RTRACK_CATALOG_PASSWORD=secret-of-mine add "$one/login" runs >wrong
check_equal 'a wrong password, which is not shown' "$(grep -c 'wrong user or password' wrong) $(grep -c secret-of-mine wrong)" '1 0'
(umask 077 && printf "geheim: '\\\\é\n" >password)
export RTRACK_CATALOG_PASSWORD_FILE=$D/password
check_equal 'the right one, from a file' "$(add "$one/login" runs)" 'added 2,000 of 2,000 recordings'
fleet login.json --catalog "$one/login" && "$F" groups --offline -o login.html --catalog "$one/login" 2>>err
check_equal 'it is in no page and in no log' "$(grep -l geheim login.json login.html ch/?/log/* err 2>/dev/null)" ''
chmod 644 password
check_equal 'a file that others can read' "$(add "$one/login" runs | grep -c 'others have access')" 1
unset RTRACK_CATALOG_USER RTRACK_CATALOG_PASSWORD_FILE
check_equal 'a password in the address' "$(add "http://ann:secret-of-mine@127.0.0.1:$port/a" runs | grep -c 'must not hold a user')" 1

# -- databases of others ---------------------------------------------------------------------------------------------
ask 0 'CREATE DATABASE f' && ask 0 'CREATE TABLE f.runs (a Int8) ENGINE = Log'
ask 0 'CREATE DATABASE n' && ask 0 'CREATE TABLE n.runs (a Int8, rtrack_schema UInt16 DEFAULT 99) ENGINE = Log'
check_equal "another program's table" "$(add "$one/f" runs | grep -c 'is not a catalog of rtrack')" 1
check_equal 'a newer catalog' "$(add "$one/n" runs | grep -c 'is of a newer rtrack')" 1
check_equal 'no such database' "$(add "$one/nope" runs | grep -c "Database nope doesn't exist")" 1
check_equal 'reading makes none' "$(fleet x.json --catalog "$one/hostile"; ask 0 'EXISTS TABLE hostile.runs')" 0

# -- hostile texts in every column -----------------------------------------------------------------------------------
mkdir evil
node "$engines/hostile_rows.mjs" "$(find runs -name '*.gz' | head -1)" evil || exit 1
check 'hostile recordings into ClickHouse' add "$one/hostile" evil
check 'and into SQLite' add hostile.db evil
for by in name user,host directory,command; do
	fleet h.one.json --group-by "$by" --catalog "$one/hostile"
	fleet h.sqlite.json --group-by "$by" --catalog hostile.db
	check "hostile texts, by $by" same models h.sqlite.json h.one.json
done
fleet h.names.json --catalog hostile.db
node -e 'for (const row of JSON.parse(require("fs").readFileSync(process.argv[1])).groups.table.rows)
	if (row[0].trim() === row[0]) // else the model has blanks for control characters
		process.stdout.write(row[0] + "\0")' h.names.json >names
bad='' names=0
while IFS= read -r -d '' name; do
	fleet h.sqlite.json --where "name=$name" --catalog hostile.db
	fleet h.one.json --where "name=$name" --catalog "$one/hostile"
	same models h.sqlite.json h.one.json >/dev/null || bad+="[$name]"
	names=$((names + 1))
done <names
check_equal 'hostile texts in conditions' "$bad" ''
check_that 'all of them' "$names >= 14"
check_equal 'nothing else happened' "$(ask 0 'SELECT count() FROM hostile.runs FINAL')" "$(find evil -type f -printf x | wc -c)"
echo "1..$n"
