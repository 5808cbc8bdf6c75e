# GNU make with rtrack-collect as its shell: each line of each rule is recorded, and nothing else changes.
. tests/check.sh
. tests/hooks/recipe.bash
mkdir "$D/a b" && cd "$D/a b" || exit 1
mkdir sub
cat >Makefile <<'EOF'
NOW := $(shell echo now)
all: one.o dir/two.o below
one.o:
	@echo one $(NOW) "a  b" '$$x'; true
dir/two.o: one.o
	@for i in 1 2; do \
	  echo two $$i; \
	done
below: dir/two.o
	@$(MAKE) -s --no-print-directory -C sub
fails:
	@echo begins; exit 7
killed:
	@kill -TERM $$$$
# Each waits for the other: a single job would wait in vain.
meets: sub-meets
sub-meets:
	@$(MAKE) -s --no-print-directory first second
first:
	@touch first; timeout 60 sh -c 'until [ -e second ]; do sleep 0.02; done'; sleep 1; echo met
second:
	@touch second; timeout 60 sh -c 'until [ -e first ]; do sleep 0.02; done'; sleep 1; echo met
EOF
printf 'all:\n\t@echo below in "$${PWD##*/}"\n' >sub/Makefile
recorded() { # ARGUMENT…
	rm -rf runs
	eval "$(recipe make) \"\$@\"" >out 2>err
}

recorded all
check_equal 'all: status' $? 0
check_equal 'all: the output is that of make alone' "$(cat out err)" "$(make all 2>&1)"
check_equal 'all: a recording of each line, with the name of its target; make is $(shell)' \
	"$(names_of runs/*)" 'all below dir/two.o make one.o'
check_equal 'all: the status of each' "$(facts runs/* | awk '$2 != 0')" ''

recorded fails
check_equal "a rule that fails: make's status" $? 2
check_equal "a rule that fails: make's words" "$(cat out) $(grep -o 'Error 7' err)" 'begins Error 7'
check_equal 'a rule that fails: its recording' "$(facts runs/*fails* | cut -d ' ' -f 1,2)" 'fails 7'
recorded killed
check_equal "a rule that a signal ends: make's status" $? 2
check_equal 'a rule that a signal ends: its recording' "$(zcat runs/*killed* | grep -oP '"exit":\K[^}]*' | head -n 1)" '{"code":null,"signal":"TERM","cause":"signaled"'

recorded meets
check_equal 'the jobs of a sub-make run beside each other' "$? $(paste -sd ' ' out)" '0 met met'
check_equal 'the jobserver is there: nothing is said' "$(cat err)" ''
check_equal 'and each is recorded' "$(names_of runs/*)" 'first make make second sub-meets'

rm -f first second
rtrack-collect -q -i 0.1 -o build.json.gz -- make -s -j2 all meets >out 2>err
check_equal 'a whole build: status, output' "$? $(sort out | paste -sd '|') $(cat err)" \
	'0 below in sub|met|met|one now a  b $x|two 1|two 2 '
check_equal 'a whole build: what a sub-make ran is among its processes' \
	"$("$P" --offline -j - build.json.gz | grep -o '"command":"sleep 1"' | wc -l)" 2
rtrack-collect -q -o build.json.gz -- make -s fails >out 2>err
check_equal 'a whole build that fails: status' "$? $(facts build.json.gz | cut -d ' ' -f 1,2)" '2 make fails'
echo "1..$n"
