#!/bin/bash
# --watch: a running job on a terminal, and as a page that is written again; a running job in a plain report.
. tests/check.sh
cd "$D" || exit 1
mkdir runs
export TERM=xterm LC_ALL=C.UTF-8
cat >job <<'S'
"$R" --mark load
until [ -e go ] || [ ! -e job ]; do sleep 0.1; done
exit 3
S
export R
begin() { # NAME: its journal has samples when it returns
	rm -f go
	"$R" -q --no-discover-cloud -i 0.1 --name train -o "runs/$1.json.gz" -- sh job &
	wait_until larger "runs/$1.json.gz.partial" 20000
}
for i in 1 2; do "$R" -q --no-discover-cloud -i 0.1 --name train -o runs/old$i.json.gz -- sleep $i; done

begin a
"$P" --offline --text text runs/ 2>err
check_equal 'a bare report of a folder: status' $? 0
check 'says that the job is running' grep -q 'still running: this is what it used so far' text
check 'and how it compares with the earlier ones' grep -qE 'left, from 2 earlier runs|onger than each of 2 earlier runs' text
check_equal 'the model, too' "$("$P" --offline -j - runs/ 2>/dev/null | grep -oE '"status": ?\{ *"word": ?"[a-z]*"' | grep -o '[a-z]*"$')" 'running"'

# The screen: what it shows, keys, and that the terminal is as it was.
dialogue 'the job of a folder' 0 "$P" --watch runs/ <<'S'
expect running: train
expect phase
expect load
expect q quit
send m
expect (memory)
send q
S
check 'the alternate screen is left' grep -q $'\x1b\\[?25h\x1b\\[?1049l' screen
check_equal 'nothing is printed then' "$(tail -c 8 screen)" $'\x1b[?1049l'
dialogue 'Ctrl-C ends it, as q does' 0 "$P" --watch runs/ <<'S'
expect running: train
send \003
S
check 'and leaves the screen' grep -q $'\x1b\\[?1049l' screen
stty_after() { # what a shell finds after COMMAND
	"$T/pty" bash -c "$1; stty -a" >screen 2>err <<'S'
expect running: train
send q
expect speed
S
	grep -aqE '[^-]icanon' screen && grep -aqE '[^-]echo ' screen
}
check 'keys are as before' stty_after "'$P' --watch runs/"
rm -f screen
{ wait_until has screen 'running: train' && touch go; } &
dialogue 'the named job ends, and so does the watch' 0 "$P" --watch runs/a.json.gz <<'S'
expect running: train
expect Ended with status 3
S
wait
dialogue 'a recording that has ended' 1 "$P" --watch runs/a.json.gz <<'S'
expect has ended
S

# Where there is nothing to show it on, and what cannot be watched.
usage() { # NAME SENTENCE STATUS OPTION…
	"$P" "${@:4}" >out 2>err </dev/null
	check_equal "$1: status" $? "$3"
	check "$1" grep -qF -e "$2" err
}
usage 'not a terminal' 'rtrack-report: --watch needs a terminal, or --output FILE: standard output is not a terminal' 1 --watch runs/
usage 'a folder that is missing' 'none/: No such file or directory' 2 --watch none/
usage 'standard input' '--watch cannot follow standard input' 2 --watch -
usage 'a page on standard output' 'they must be files, not standard output' 2 --watch -o - runs/
dialogue 'a terminal without a cursor' 1 env TERM=dumb "$P" --watch runs/ <<'S'
expect TERM is "dumb"
S

# The page is written again until the job ends; nothing is written before one begins.
"$P" --offline --watch -o page.html runs/ >out 2>err &
watch=$!
sleep 0.5
check 'no page of jobs that have ended' [ ! -e page.html ]
begin b
wait_until [ -s page.html ]
check 'the page reloads itself' grep -q '<meta http-equiv="refresh" content="[0-9]*">' page.html
check 'and is about the running job' grep -q '<title>train: running' page.html
check 'it is no input of a later report' sh -c '! grep -q rtrack-recording page.html'
first=$(stat -c %Y.%i page.html)
again() { [ "$(stat -c %Y.%i page.html)" != "$first" ]; }
check 'it is written again' wait_until again
touch go
wait $watch
check_equal 'it ends with the job' $? 0
check 'the last page is about the end' grep -q '<title>train: failed' page.html
check 'and does not reload' sh -c '! grep -q http-equiv=.refresh page.html'
check_equal 'it said nothing' "$(cat err)" ''

# Ctrl-C: the page stops reloading.
begin c
# No prices are asked for: the service that is not there would be named.
"$P" --keeper-url http://127.0.0.1:9 --keeper-cache '' --watch -o page2.html runs/ 2>err &
watch=$!
wait_until [ -s page2.html ]
kill -INT $watch
wait $watch
check 'a page that is given up does not reload' sh -c '! grep -q http-equiv=.refresh page2.html'
check 'and says that the job is running' grep -q '<title>train: running' page2.html
check_equal 'no prices were asked for' "$(cat err)" ''

# The recorder is killed: its journal does not run.
pkill -KILL -P $$ -f 'name train -o runs/c.json' || true
touch go
stopped() { "$P" --offline --text text runs/c.json.gz.partial 2>err && grep -q 'recorder was killed' text; }
check 'the journal of a recorder that was killed' wait_until stopped
wait
echo "1..$n"
