# A catalog in SQLite: writers that are killed, two writers at once, files that are not catalogs, are damaged or cannot be
# written, a full disk, and the sandbox.
. tests/check.sh
C=$B/tests/services/catalog_cli fixtures=$PWD/tests/fixtures
cd "$D" || exit 1
catalog() { "$C" "$@" 2>&1; }
rows() { catalog "$1" cells | awk -F'|' '{ s += $3 } END { print s + 0 }'; }

# -- adding ------------------------------------------------------------------------------------------------------------
check 'runs are put' catalog a.db put 0 2000 7
check_equal 'and are there' "$(rows a.db) $(catalog a.db check 0 2000)" '2000 0 missing'
catalog a.db cells >once
catalog a.db put 0 2000 7
check_equal 'twice is once' "$(catalog a.db cells | cmp - once && echo same)" same
check_equal 'all is forgotten below a folder' "$(catalog a.db forget /data/runs/2026/03) $(rows a.db)" '65 removed 1935'
check_equal 'a reader makes no file' "$(catalog no.db cells) $(ls no.db* 2>/dev/null)" 'no.db: there is no catalog yet: rtrack-fleet add makes it '
check 'a name that is special to SQLite is a file' catalog :memory: put 0 10 2
check_equal 'of this folder' "$(ls :memory:)" ':memory:'

catalog two.db put 0 3000 5 >one.out &
catalog two.db put 2000 3000 5 >two.out
wait
check_equal 'two writers at once' "$(cat one.out two.out) $(rows two.db) $(catalog two.db check 0 5000)" ' 5000 0 missing'

# Killed anywhere, the next one goes on: a batch is there as a whole or not at all.
whole=0
for i in $(seq "${KILLS:-6}"); do
	rm -f k.db*
	"$C" k.db put 0 20000 9 2>/dev/null &
	pid=$!
	sleep "0.$((RANDOM % 900 + 20))"
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ -e k.db ] || continue
	catalog k.db put 0 0 9 >killed.out
	left=$(rows k.db)
	catalog k.db put 0 3000 9 >>killed.out
	[ ! -s killed.out ] && [ $((left % 512)) = 0 -o "$left" = 20000 ] && [ "$(catalog k.db check 0 3000)" = '0 missing' ] &&
		[ "$(catalog k.db check 0 "$left")" = '0 missing' ] && whole=$((whole + 1)) && continue
	echo "# killed: $left rows, $(cat killed.out)"
	whole=-1000
done
check_that 'a writer that is killed leaves whole batches' "$whole > 0"

# -- files that are not catalogs, or are damaged --------------------------------------------------------------------------
echo 'This is text and no database at all, but longer than the header of one: 0123456789 0123456789 0123456789' >text.db
: >empty.db
mkdir folder.db
schema=$(od -An -j 60 -N 4 -t u1 a.db | awk '{ print $4 }') # PRAGMA user_version
cp a.db newer.db && printf "\\0\\0\\0\\$(printf %o $((schema + 1)))" | dd of=newer.db bs=1 seek=60 conv=notrunc 2>/dev/null
cp a.db foreign.db && printf '\0\0\0\7' | dd of=foreign.db bs=1 seek=68 conv=notrunc 2>/dev/null
cp a.db damaged.db && head -c 65536 /dev/urandom | dd of=damaged.db bs=1 seek=8192 conv=notrunc 2>/dev/null
head -c 50000 a.db >short.db
check_equal 'a text' "$(catalog text.db cells)" 'text.db: not a catalog: it is not an SQLite database'
check_equal 'to write' "$(catalog text.db put 0 1 1) $(head -c 12 text.db)" \
	'text.db: not a catalog: it is not an SQLite database This is text'
check_equal 'an empty file to read' "$(catalog empty.db cells)" 'empty.db: there is no catalog yet, only an empty file: rtrack-fleet add makes it'
check 'an empty file to write' catalog empty.db put 0 1 1
check_equal 'a newer catalog' "$(catalog newer.db put 0 1 1)" \
	'newer.db: a newer version of rtrack made this catalog (its version is '"$((schema + 1)), and this program knows $schema)"
check_equal "another program's" "$(catalog foreign.db put 0 1 1)" "foreign.db: not a catalog: it is another program's database"
check_equal 'a folder' "$(catalog folder.db cells | grep -c '^folder.db: ') $(catalog folder.db put 0 1 1 | grep -c '^folder.db: ')" '1 1'
for f in damaged short; do
	catalog $f.db cells >out
	check_equal "a $f file" "$? $(tail -n 1 out)" \
		"1 $f.db: the database is damaged; restore a backup of it, or add all runs to a new one"
done

# -- an older catalog ------------------------------------------------------------------------------------------------
if command -v sqlite3 >/dev/null; then
	mkdir kept gone
	for f in kept gone; do echo '{"rtrack_row":{"id":"'$f'","name":"n","wall_s":7}}' >$f/a.json; done
	"$F" add --catalog old.db kept gone >/dev/null
	sqlite3 old.db 'ALTER TABLE runs DROP COLUMN stolen_s; PRAGMA user_version = 5'
	rm -r gone
	check 'an older catalog is a page, and stays as it is' "$F" groups --offline --catalog old.db -o old.html
	check_equal 'of its version' "$(sqlite3 old.db 'PRAGMA user_version')" 5
	check_equal 'an older catalog is upgraded with a sentence, and what is there is read again' \
		"$("$F" add --catalog old.db kept 2>&1 | sed "s/is of version $schema/is of version NEW/")" \
		'rtrack-fleet: the catalog old.db was of version 5 and is of version NEW now: an older rtrack refuses it; recordings that are still there are read again for columns that are new
added 1 of 1 recording; 1 row has only what an older version knew: its recording was not read again'
	check_equal 'once' "$("$F" add --catalog old.db kept 2>&1)" \
		'added 0 of 1 recording; 1 row has only what an older version knew: its recording was not read again'
	check_equal 'and the other row stays' "$(sqlite3 old.db "SELECT count(*) FROM runs WHERE name = 'n'")" 2
	# As the first version of rtrack that had catalogs made it, with one run.
	sqlite3 first.db <"$fixtures/catalog-1.sql" && sqlite3 first.db "UPDATE runs SET source = '$D/gone/a.json'"
	first=$("$F" runs --offline --catalog first.db --csv - 2>&1)
	check 'a catalog of the first version can be read' grep -q '"n"' <<<"$first"
	check 'it is upgraded' grep -q 'was of version 1 and is of version' <<<"$("$F" add --catalog first.db kept 2>&1)"
	check_equal 'and whole, with the columns of one that is new' "$(sqlite3 first.db 'PRAGMA integrity_check') $(
		for db in first old; do sqlite3 $db.db 'SELECT name FROM pragma_table_info("runs") ORDER BY name'; done | sort | uniq -u)" 'ok '
	check_equal 'its run has what it had' "$("$F" runs --offline --catalog first.db --csv - 2>/dev/null | grep -cFf <(tail -n 1 <<<"$first"))" 1
else
	skip 'an older catalog' 'no sqlite3'
fi

# -- what cannot be written ------------------------------------------------------------------------------------------------
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
catalog ro.db put 0 1000 3
mkdir ro && cp ro.db ro/a.db && chmod 444 ro.db ro/a.db && chmod 555 ro && chmod 755 .
if as test -x "$C" && ! as test -w ro.db; then
	check_equal 'a read-only file is read' "$(as "$C" ro/a.db cells | wc -l)" 6
	check_equal 'but not written' "$(as "$C" ro/a.db put 0 1 1)" 'ro/a.db: the file or its folder is read-only'
	check_equal 'nor made in a read-only folder' "$(as "$C" ro/b.db put 0 1 1)" \
		'ro/b.db: its folder does not exist, or is read-only'
else
	skip 'read-only files' 'another user cannot reach the build'
fi
chmod 755 ro
# A limit on the size of files is as a full disk; the signal is ignored, as it is in the commands.
(trap '' XFSZ; ulimit -f 300; "$C" full.db put 0 5000 3) >out 2>&1
check_equal 'a full disk: one sentence' "$? $(cat out)" '1 full.db: it cannot be written'
check_equal 'and whole batches' "$(catalog full.db put 0 0 1) $(($(rows full.db) % 512))" ' 0'
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=400k tmpfs small 2>/dev/null; then
	catalog small/a.db put 0 5000 3 >out
	check_equal 'a really full disk' "$? $(cat out)" '1 small/a.db: No space left on device'
	check_equal 'leaves whole batches' "$(($(rows small/a.db) % 512))" 0
	umount small
else
	skip 'a really full disk' 'no tmpfs may be mounted'
fi

# -- the sandbox -----------------------------------------------------------------------------------------------------------
export CATALOG_CLI_SANDBOX=1
check 'in the sandbox, runs are put' catalog s.db put 0 2000 7
check_equal 'and asked for' "$(catalog s.db cells | cmp - once && catalog s.db forget / && echo same)" $'2000 removed\nsame'
catalog t.db put 0 1500 3 >one.out &
catalog t.db put 1000 1500 3 >two.out
wait
check_equal 'two writers, who wait for each other' "$(cat one.out two.out) $(rows t.db)" ' 2500'
echo "1..$n"
