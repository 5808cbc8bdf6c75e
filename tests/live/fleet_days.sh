# Folders of days in users' folders: an add with nothing new makes at most 10 calls for each that is closed, whatever it holds.
. tests/check.sh
strace -f -o /dev/null true 2>/dev/null || skip_all 'strace is missing, or may not trace'
cd "$D" || exit
export SOURCE_DATE_EPOCH=$(($(date +%s) + 300)) # as if the folders were not made just now
user=$(id -u)
node - s "$user" 40 500 <<'N' || exit
const fs = require('fs'), zlib = require('zlib'), [root, user, days, files] = process.argv.slice(2)
const row = zlib.gzipSync('{"rtrack_row":{"id":"a","name":"train","wall_s":100,"samples":50}}')
for (let d = 3; d < 3 + +days; d++) {
  const day = `${root}/${user}/${new Date(Date.now() - d * 864e5).toISOString().slice(0, 10)}`
  fs.mkdirSync(day, { recursive: true })
  fs.writeFileSync(`${day}/0.json.gz`, row)
  for (let i = 1; i < +files; i++) fs.linkSync(`${day}/0.json.gz`, `${day}/${i}.json.gz`)
}
N
chmod 755 s s/"$user"
added() { "$F" add --catalog runs.db s 2>&1; }
calls() { # of the scan: without those of starting the program, and of its sandbox, which an empty folder has as well
	local n empty
	strace -f -c -o all "$F" add --catalog runs.db s >/dev/null 2>&1
	strace -f -c -o none "$F" add --catalog none.db e >/dev/null 2>&1
	n=$(awk '/total$/ { print $4 }' all) empty=$(awk '/total$/ { print $4 }' none)
	echo $((n - empty))
}
mkdir e
"$F" add --catalog none.db e >/dev/null 2>&1
check_equal 'all recordings are added' "$(added)" 'added 20,000 of 20,000 recordings'
check_equal 'and not looked at again' "$(added)" 'added 0 of 0 recordings; 40 folders of days have not changed'
n=$(calls)
check_that "at most 10 calls for each day ($n for 40)" "$n <= 400 && $n >= 40"
echo '{"rtrack_row":{"id":"b","name":"late","wall_s":7}}' >"$(printf '%s\n' s/"$user"/* | head -n 1)/late.json"
check_equal 'a new file opens its day' "$(added)" 'added 1 of 501 recordings; 39 folders of days have not changed'
check_equal 'which is closed again' "$(added)" 'added 0 of 0 recordings; 40 folders of days have not changed'
"$F" forget --catalog runs.db s >/dev/null
check_equal 'what was forgotten can be added again' "$(added)" 'added 20,001 of 20,001 recordings'
