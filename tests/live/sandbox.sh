#!/bin/bash
# The sandboxes of rtrack-report and rtrack-fleet take nothing from the user: every way to name inputs and outputs works.
. tests/check.sh
run=$PWD/tests/fixtures/runs_report/now.json
cd "$D" || exit 1

report() { timeout 60 "$P" --offline "$@" 2>err; }
whole() { report -o a.html "$@" && [ ! -s err ] && grep -q '</html>' a.html; }

mkdir runs store out other deep deep/er
cp "$run" store/one.json
cp "$(dirname "$run")/earlier-1.json" other/two.json
ln -s ../store/one.json runs/one.json
ln -s "$D/other/two.json" runs/two.json
ln -s store/one.json link.json
ln -s out linked
echo '{{run.name}}!' >other/t.txt

check 'a link' whole link.json
check 'a path with dots' whole deep/er/../../store/one.json
check 'a folder of links' sh -c '"$1" --offline -j - -n 9 runs 2>err | grep -q "\"file\":\"[^\"]*two.json\""' - "$P"
check 'a folder and a slash' whole runs/
check 'the root of it all, by its name' whole --current "$D/store/one.json" /"$D/other"
check 'standard input, a pipe' sh -c 'cat store/one.json | "$1" --offline -o a.html /dev/stdin 2>err' - "$P"
check 'standard input, a file' whole /dev/stdin <store/one.json
check 'a process substitution' whole <(cat store/one.json)
exec 7<store/one.json
mv store/one.json store/gone.json
check 'a descriptor, whose name is another now' whole /dev/fd/7
rm store/gone.json
exec 7<&- 8< <(cat "$run")
cp "$run" store/one.json
check 'a descriptor, a pipe' whole /dev/fd/8
check 'a template elsewhere' test "$(report -t other/t.txt store/one.json | tail -c 2)" = '!'
check 'a template to a folder elsewhere' report -t other/t.txt=out/t.md store/one.json
check 'is there' grep -q . out/t.md
check 'through a linked folder' report -o linked/b.html store/one.json
check 'is there, too' grep -q '</html>' out/b.html
check 'over what was there' report -o out/b.html store/one.json
check 'all outputs in folders of their own' report -o out/x.html -j deep/x.json --csv deep/er/x.csv --text other/x.txt \
	--openmetrics x.prom --junit "$D/runs/x.xml" store/one.json
check 'are there' ls out/x.html deep/x.json deep/er/x.csv other/x.txt x.prom runs/x.xml
check 'a model' report -m deep/x.json -o out/y.html
check 'to /dev/null' report -o /dev/null store/one.json
check 'to standard output by its name' sh -c '"$1" --offline -o /dev/stdout "$2" 2>err | grep -q "</html>"' - "$P" "$run"
mkfifo fifo
report -o fifo store/one.json &
check 'to a FIFO' grep -q '</html>' fifo
wait $!
check 'and its status' test $? = 0
report -o not/there.html store/one.json
check 'a folder that is missing is reported' grep -qx "rtrack-report: not/there.html: No such file or directory" err
report -o a.html missing.json
check 'a file that is missing is reported' grep -q 'missing.json: No such file or directory' err
check 'the folder of a cache is made' test "$(timeout 60 "$P" --keeper-url http://127.0.0.1:1 --keeper-cache c \
	-o a.html store/one.json 2>&1 | grep -v ": no prices: "; ls -d c)" = c

# A filter of somebody else's, in a container: then nothing is given up, and nothing is said of it
# but that there are no prices.
deny=$B/tests/live/deny
"$deny" EPERM seccomp true
[ $? = 120 ] || for call in seccomp prctl landlock_create_ruleset landlock_add_rule landlock_restrict_self socketpair; do
	for error in EPERM ENOSYS; do
		check "$error for $call" sh -c 'rm -f a.html; timeout 60 "$@" 2>err && ! grep -v "^rtrack-report: no prices: " err && grep -q "</html>" a.html' - \
			"$deny" $error $call "$P" --keeper-url http://127.0.0.1:1 -o a.html store/one.json
		check "rtrack-fleet: $error for $call" sh -c 'rm -f a.html; timeout 60 "$@" 2>err && [ ! -s err ] && grep -q "</html>" a.html' - \
			"$deny" $error $call "$F" --offline -o a.html store/one.json
	done
done

# -- rtrack-fleet: a catalog, messages and a patch are written as well --------------------------------------------------
fleet() { timeout 60 "$F" "$1" --offline "${@:2}" 2>err && ! grep -v "the patch is empty: no run is of a CI job" err; }
rm -rf out/* && mkdir mails state
check 'rtrack-fleet: a folder of links' fleet groups -o a.html runs/
check 'a pipe' sh -c 'cat store/one.json | "$1" groups --offline -o a.html - 2>err' - "$F"
check 'all outputs in folders of their own' fleet groups -o out/x.html -j deep/f.json --csv deep/er/f.csv --text other/f.txt \
	--openmetrics f.prom --junit "$D/state/f.xml" store
check 'are there' ls out/x.html deep/f.json deep/er/f.csv other/f.txt f.prom state/f.xml
check 'through a linked folder' fleet runs -o linked/r.html store
check 'a catalog elsewhere' fleet add --catalog state/runs.db store "$D/other"
check 'by a link, and the page' fleet groups --catalog linked/../state/runs.db --add -o out/c.html runs/
check 'and forgotten' fleet forget --catalog state/runs.db "$D"
check 'messages' fleet mail --mail-dir mails --mail-state state/said.jsonl --mail-rules /dev/null store
check 'and what was said, elsewhere' test -e state/said.jsonl -a ! -e mails/said.jsonl
check 'CI jobs, and a patch' fleet ci -o out/ci.html --ci-root "$D" --ci-patch out/ci.patch store
echo "1..$n"
