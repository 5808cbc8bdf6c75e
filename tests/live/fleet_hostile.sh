# What one user puts into the shared folder keeps nobody else's recordings from the catalog: too many files, sparse and endless
# ones, FIFOs, names of 255 bytes, files that change while they are read.
. tests/check.sh
[ "$(id -u)" = 0 ] || skip_all 'only root can make files of several users'
cd "$D" || exit
chmod 755 .
bad=$(id -u nobody) good=$(id -u daemon)
mkdir -p s/"$bad"/2020-01-01 s/"$good"/2020-01-01
node - s/"$bad" s/"$good" <<'N' || exit
const fs = require('fs'), zlib = require('zlib'), [bad, good] = process.argv.slice(2)
const row = user => zlib.gzipSync(`{"rtrack_row":{"id":"a","name":"train","user":"${user}","wall_s":100,"samples":50}}`)
fs.writeFileSync(`${good}/2020-01-01/a.json.gz`, row('daemon'))
fs.writeFileSync(`${bad}/2020-01-01/0.json.gz`, row('nobody'))
for (let i = 1; i < 3000; i++) fs.linkSync(`${bad}/2020-01-01/0.json.gz`, `${bad}/2020-01-01/${i}.json.gz`)
for (const name of ['a.json.gz', 'b.json', 'c.json.gz.partial', 'd.html', 'e.csv']) {
  fs.writeFileSync(`${bad}/${name}`, '')
  fs.truncateSync(`${bad}/${name}`, 50e9)
}
fs.writeFileSync(`${bad}/${'x'.repeat(247)}.json.gz`, row('nobody'))
N
mkfifo s/"$bad"/f.json.gz s/"$bad"/g.json
chown -R "$bad" s/"$bad" && chown -R "$good" s/"$good" && chmod 755 s s/*
(while :; do echo '{"rtrack_row":{"wall_s":1}}' >s/"$bad"/changes.json && : >s/"$bad"/changes.json && sleep 0.01; done) &
changing=$!
clean_up() { kill $changing 2>/dev/null; }
users() { sqlite3 runs.db "SELECT user, count(*) FROM runs GROUP BY user" 2>&1 | paste -sd ' '; }
command -v sqlite3 >/dev/null || users() { skip 'rows of users' 'no sqlite3' >&2; }
timeout 60 "$F" add --catalog runs.db --user-files 500 s >out 2>err
check_equal 'the add ends, and says that something was left out' $? 4
check 'whose folder it was' grep -q 'the folder of user nobody has more than 500 files: the others were left out (--user-files)' err
check_equal 'the other user is there' "$(users | grep -o 'daemon|1')" 'daemon|1'
timeout 60 "$F" add --catalog runs.db --user-bytes 1000 s >out 2>err
check 'content that was read' grep -q 'the folder of user nobody: .* for the next add, after .* were read (--user-bytes)' err
timeout 60 "$F" add --catalog runs.db s >out 2>err
check 'without such limits' grep -q 'a.json.gz: byte 0: not a snapshot' err
check_that 'all of the first user is there' "$(users | grep -oE 'nobody\|[0-9]+' | tr -dc 0-9) >= 3001"
