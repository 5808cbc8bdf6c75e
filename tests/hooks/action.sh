# action.yml: it fits the schema of composite actions; its steps, run as GitHub's runner does, record, report and fail.
. tests/check.sh
. tests/hooks/recipe.bash
[ -d tests/hooks/gitlab/node_modules/ajv ] || skip_all 'ajv is not installed: make engine-deps'
runner=$ROOT/tests/hooks/action_runner.mjs
mkdir "$D/a b" && cd "$D/a b" || exit 1
unset GITHUB_ACTIONS
export XDG_CACHE_HOME=$D/cache
# Runs the action with inputs, a JSON object; without report-options, it uses no network.
act() { # INPUTS
	rm -f summary.md
	node "$runner" run "${action:-$ROOT/action.yml}" "$PWD" '{"report-options": "--offline"}' "$1" >out 2>err
}
said() { sed -n "s/^output $1 //p" out; }
steps() { grep -oE '^(ran [a-z]+ [0-9]+|skipped [a-z/-]+|uses [a-z/-]+)' out | paste -sd ','; }

# -- the schema -------------------------------------------------------------------------------------
check 'it fits the schema' node "$runner" check "$ROOT/action.yml"
spoil() { # NAME SED
	mkdir -p spoilt && sed "$2" "$ROOT/action.yml" >spoilt/action.yml
	check_equal "the schema refuses $1" "$(cmp -s spoilt/action.yml "$ROOT/action.yml" && echo 'not spoilt')$(
		node "$runner" check spoilt/action.yml >out 2>&1; echo $?)" 1
}
spoil 'a step without a shell' '0,/shell: bash/{/shell: bash/d}'
spoil 'an action that is not pinned by its commit' 's/upload-artifact@[0-9a-f]*/upload-artifact@v4/'
spoil 'an input in the text of a script' 's/\[ -n "\$ARCHIVE" \]/[ -n "${{ inputs.archive }}" ]/'
spoil 'an input that is not described' '0,/description: The script/{/description: The script/d}'
spoil 'another kind of action' 's/using: composite/using: node20/'
check_equal 'the inputs of the recipe are inputs of the action' "$(recipe action | grep -oP '^    \K[a-z-]+(?=:)' |
	while read -r name; do grep -q "^  $name:" "$ROOT/action.yml" || echo "$name"; done)" ''

# -- the steps --------------------------------------------------------------------------------------
act '{"run": "echo one\nseq 3 | wc -l\nsleep 0.2"}'
check_equal 'a script that succeeds: status' "$? $(said status)" '0 0'
check_equal 'a script that succeeds: the steps' "$(steps)" \
	'ran get 0,uses actions/cache,ran run 0,ran report 0,uses actions/upload-artifact'
check_equal 'a script that succeeds: its output' "$(grep -xE 'one|3' out | paste -sd ' ')" 'one 3'
check_equal 'a script that succeeds: recording, named after the job' "$(facts "$(said recording | sed 's/ exists$//')" |
	cut -d ' ' -f 1,2)" 'tests 0'
check_equal 'a script that succeeds: the report' "$(said report | grep -o 'rtrack.html exists')" 'rtrack.html exists'
check 'a script that succeeds: the summary' grep -q '^### tests: finished' summary.md
check_equal 'what is uploaded' "$(ls "$(dirname "$(said report)")" | grep '^rtrack\.' | paste -sd ' ')" \
	'rtrack.html rtrack.json.gz rtrack.md'

act '{"run": "echo begins\nfalse | cat\necho never"}'
check_equal 'a script that fails: status, strict mode' "$? $(said status) $(grep -c never out)" '1 1 0'
check_equal 'a script that fails: it is reported and uploaded all the same' "$(steps)" \
	'ran get 0,uses actions/cache,ran run 1,ran report 0,uses actions/upload-artifact'
check 'a script that fails: the summary' grep -q '^### tests: failed' summary.md
act '{"run": "exit 42"}'
check_equal 'the status is kept' "$? $(said status)" '42 42'

act '{"run": "sleep 0.2", "fail-if": "duration > 1h\n\nduration > 0.1s"}'
check_equal 'a gate that holds fails the report, not the script' "$? $(said status) $(steps | grep -o 'ran report [0-9]*')" \
	'3 0 ran report 3'
act '{"run": "sleep 0.1", "name": "other name", "artifact": "", "history": "0", "collect-options": "--interval=0.05\n--tag=a=b c"}'
check_equal 'without history and artifact' "$? $(steps)" \
	'0 ran get 0,skipped actions/cache,ran run 0,ran report 0,skipped actions/upload-artifact'
recording=$(said recording | sed 's/ exists$//')
check_equal 'options of rtrack-collect, a line each' "$(zcat "$recording" | grep -o '"interval":[0-9.]*\|"a":"b c"' |
	sort -u | paste -sd ' ')" '"a":"b c" "interval":0.05'
rm -rf temp/rtrack-history
for _ in 1 2 3; do act '{"run": "sleep 0.05", "history": "2", "fail-if": "cpu_s > history * 1000"}'; done
check_equal 'no more recordings are kept than asked for' "$(ls temp/rtrack-history | wc -l)" 2
check 'earlier recordings are the history' grep -q 'History, median' summary.md
printf broken >temp/rtrack-history/1-1.json.gz
act '{"run": "true"}'
check_equal 'a broken recording in the cache does not fail the step' "$? $(steps | grep -o 'ran report [0-9]*')" '0 ran report 0'

# -- a matrix ---------------------------------------------------------------------------------------
used() { sed -n "s|^uses actions/$1 .*\"$2\":\"\([^\"]*\)\".*|\1|p" out; }
leg() { # INDEX TOTAL VALUE [INPUTS]
	STRATEGY="{\"job-index\": $1, \"job-total\": $2}" MATRIX="{\"os\": \"$3\"}" act "${4:-{\"run\": \"true\"\}}"
	artifact=$(used upload-artifact name) history=$(used cache restore-keys)
}
act '{"run": "true"}'
check_equal 'without a matrix: the artifact' "$(used upload-artifact name)" rtrack-tests
leg 0 2 'a $(touch pwned), c'
first=$artifact first_history=$history
leg 1 2 b
check_equal 'jobs of a matrix have artifacts of their own' "$first $artifact" 'rtrack-tests-0 rtrack-tests-1'
check_that 'and histories' "$(printf '%s\n' "$first_history" "$history" | grep -c . ) == 2 && $(printf '%s\n' "$first_history" "$history" | sort -u | wc -l) == 2"
second_history=$history
leg 1 3 c
check_that 'another value with the same number has another' "$(printf '%s\n' "$history" "$second_history" | sort -u | wc -l) == 2"
leg 1 3 b
check_equal 'the same values have the same' "$history" "$second_history"
leg 2 3 b '{"run": "true", "artifact": "mine-31415"}'
check_equal 'also at another place, and with an artifact of this run' "$history" "$second_history"
leg 1 2 b '{"run": "true", "artifact": "mine"}'
check_equal 'an artifact that is named is so called' "$artifact $(find . -name pwned)" 'mine '

# -- hostile inputs ---------------------------------------------------------------------------------
rm -rf temp
mkdir 'w d'
hostile='$(touch pwned)`touch pwned`"; touch pwned; \u0027; touch pwned #\n::error::x'
act "{\"run\": \"pwd\", \"name\": \"$(sed 's/"/\\"/g' <<<"$hostile")\", \"artifact\": \"a[\$(touch pwned)]\", \"working-directory\": \"w d\"}"
check_equal 'a hostile name is a name' "$? $(find . -name pwned) $(grep -c "^$PWD/w d$" out)" '0  1'
check_equal 'a hostile name is not a command to the runner' "$(grep -c '^::' out err summary.md | paste -sd ' ')" 'out:0 err:0 summary.md:0'
for input in history fail-if archive collect-options; do
	act "{\"run\": \"true\", \"$input\": \"a[\$(touch pwned)]\"}"
	check_equal "a hostile $input fails, and runs nothing" "$(test $? != 0 && echo failed) $(find . -name pwned)" 'failed '
done
act '{"run": "true", "report-options": "--offline\na[$(touch pwned)]"}'
check_equal 'a hostile report-options is a file that is not there' "$? $(find . -name pwned)" '0 '
act '{"run": "true", "collect-options": "-o\n/nowhere/x"}'
check_equal 'an output that cannot be written' "$? $(steps | grep -o 'ran run [0-9]*')" '125 ran run 125'
act '{"run": "env"}'
check_equal "the action's own variables are not the script's" "$(grep -cE '^(RUN|NAME|OPTIONS)=' out)" 0

# -- where the programs come from -------------------------------------------------------------------
mkdir -p tar/rtrack-1/bin && cp "$R" "$P" tar/rtrack-1/bin && tar -C tar -czf rtrack.tar.gz rtrack-1
sum=$(sha256sum <rtrack.tar.gz | cut -c1-64)
url=file://${PWD// /%20}/rtrack.tar.gz
without=$(tr ':' '\n' <<<"$PATH" | grep -vxF "$B" | paste -sd ':')
PATH=$without act "{\"run\": \"command -v rtrack-report\", \"archive\": \"$url\", \"sha256\": \"$sum\"}"
check_equal 'an archive with the right sum is used' "$? $(grep -c '/temp/rtrack-.*/rtrack-1/bin/rtrack-report$' out)" '0 1'
PATH=$without act "{\"run\": \"touch ran\", \"archive\": \"$url\", \"sha256\": \"${sum%?}g\"}"
check_equal 'an archive with another sum is refused' "$? $(ls ran 2>/dev/null) $(grep -c 'not what sha256 says' err) $(steps)" \
	'1  1 ran get 1,skipped actions/cache,skipped run,skipped report,skipped actions/upload-artifact'
PATH=$without act "{\"run\": \"touch ran\", \"archive\": \"${url/file:/ftp:}\", \"sha256\": \"$sum\"}"
check_equal 'an address that is neither https nor a file is refused' "$? $(ls ran 2>/dev/null)" '1 '
# Without an archive and without rtrack, the action's own checkout is built; here, by a Makefile that copies.
mkdir checkout && cp "$ROOT/action.yml" checkout
printf 'deps:\n\t@echo deps\n$(B)/rtrack-collect:\n\tmkdir -p $(B) && cp "%s" "%s" $(B)\n.DEFAULT_GOAL = $(B)/rtrack-collect\n' \
	"$R" "$P" >checkout/Makefile
PATH=$without action=checkout/action.yml act '{"run": "command -v rtrack-collect"}'
check_equal 'without rtrack, the checkout is built' "$? $(grep -c '/checkout/build/release/rtrack-collect$' out)" '0 1'
echo "1..$n"
