#!/bin/bash
# A recording can be read by its user alone, and is written over a symbolic link, never through it.
. tests/check.sh
cd "$D" || exit 1
umask 0

record() { "$R" -q -i 0.05 --no-discover-cloud --cgroup off "$@" 2>err; }
mode() { stat -c %a "$1"; }

# While it runs, and after.
record -o a.gz -- sh -c 'stat -c "%a %F" a.gz.partial "$RTRACK_MARK" >modes'
check 'the journal and the FIFO are for this user alone' test "$(cat modes)" = "$(printf '600 regular file\n600 fifo\n')"
check 'and the snapshot' test "$(mode a.gz)" = 600

# Links that lead to what must stay.
mkdir shared home
echo precious >home/file
cp home/file expect
for name in b.gz b.gz.partial b.gz.partial.2; do ln -s ../home/file shared/$name; done
record -o shared/b.gz -- true
check 'a job beside links is recorded' test $? = 0
check 'over a link, not through it' test -f shared/b.gz -a ! -L shared/b.gz
check 'and the links of other names are left' test -L shared/b.gz.partial -a -L shared/b.gz.partial.2
check 'and what they lead to' cmp -s home/file expect
ln -s ../home/file shared/r.html
"$P" --offline -o shared/r.html shared/b.gz 2>err
check 'a report goes over a link as well' test -f shared/r.html -a ! -L shared/r.html
check 'and leaves what it led to' cmp -s home/file expect
mkdir shared/folder.gz
record -o shared/folder.gz -- touch ran
check 'not over a folder' test $? = 125 -a ! -e ran

# A name is not a command to the terminal, whoever chose it.
bad=$'c\e]0;x\a\e[31m\xc2\x9b2J\n.gz'
"$R" -i 0.05 --no-discover-cloud --cgroup off -o "$bad" -- true 2>err
check 'a summary has no escape of a name' sh -c '! tr -d "\n" <err | grep -q "[[:cntrl:]]" && ! grep -q "$(printf "\302\233")" err && [ $(wc -l <err) = 1 ]'
"$R" -i 0.05 --no-discover-cloud --cgroup off -o d.gz -- \
	sh -c 'until [ "$(wc -l <d.gz.partial)" -ge 5 ]; do sleep 0.05; done; kill -9 $PPID' 2>err
cp d.gz.partial "$bad.partial" 2>/dev/null
rm -f "$bad"
"$R" --recover "$bad.partial" 2>err
check 'nor has a recovery' sh -c 'grep -q recovered err && ! tr -d "\n" <err | grep -q "[[:cntrl:]]"'
echo x >"$bad"
"$P" --offline "$bad" --fail-if 'duration > 0' 2>err
check 'nor has a complaint' sh -c '[ -s err ] && ! tr -d "\n" <err | grep -q "[[:cntrl:]]"'
printf '{"metadata":{"name":"a\\u001b[31mb","command":["x\\u001b]0;y\\u0007"]}}' >e.json
"$P" --offline -o e.html --text e.txt e.json d.gz.partial 2>err
check 'nor what a recording says' sh -c '! tr -d "\n" <err | grep -q "[[:cntrl:]]"'
echo "1..$n"
