# skills/rtrack/SKILL.md: a planted regression, what to ask for, and a cause of death, each by its commands, three or fewer.
. tests/check.sh
. tests/hooks/recipe.bash
cd "$D" || exit 1
skill=$ROOT/skills/rtrack/SKILL.md
for line in 'rtrack-report --brief runs/' 'rtrack-fleet ask --input FILE --for slurm runs/' 'git bisect start $(rtrack-report --bisect runs/)' \
	'`--end-file end`' '`--oom-status 77`'; do
	check "the skill has $line" grep -qF -- "$line" "$skill"
done

# -- a regression: 30 runs with their commits; from the 23rd on 20 % more memory --------------------------------------
mkdir runs
for i in $(seq 30); do
	start=$((1795000000 + 1000 * i)) commit=$(printf 'c0ffee%02d%032d' "$i" 0)
	printf '{"metadata": {"start_time": %d, "stop_time": %d}, "rtrack": {"job": {"name": "fit", "labels": {"git.commit": "%s"}},
		"exit": {"code": 0, "cause": "exited"}, "inputs": [{"name": "a.fq", "bytes": 1000000, "via": "argument", "at": "1"}]},
		"process_metrics": {"timestamp": [%d], "cpu_usage": [2], "memory": [%d]}}\n' "$start" $((start + 100)) "$commit" $((start + 1)) \
		$(((100000 + i * 7 % 5 * 70) * (i > 22 ? 12 : 10) / 10)) >"runs/$i.json"
done
check_equal 'changed: how much, and since when' "$("$P" --brief --offline runs/ | grep -c '^changed: Since c0ffee2 (8 runs): [12][0-9]% more memory')" 1
check_equal 'the commits on both sides' "$("$P" --bisect runs/ 2>/dev/null | cut -c 1-8,42-49)" 'c0ffee23c0ffee22'

# -- what to ask for -------------------------------------------------------------------------------------------------
head -c 1000000 /dev/zero >a.fq
check_equal 'options of sbatch' "$("$F" ask --input a.fq --for slurm runs/ | grep -cE -- '--mem=[0-9]+M?')" 1

# -- a cause of death ------------------------------------------------------------------------------------------------
"$R" -q --no-discover-cloud -o died.json.gz --end-file end.json --oom-status 77 -- sh -c 'kill -SEGV $$'
check_equal 'the status is the job'"'"'s' $? 139
check_equal 'the end as JSON' "$(grep -oE '"(cause|by_memory)":[^,]*' end.json | paste -sd ' ')" '"cause":"crash" "by_memory":false'
check_equal 'and in brief' "$("$P" --brief --offline died.json.gz | sed -n 's/^end: \(Ended by SIGSEGV\).*/\1/p; /^status/p; /^cause/p')" \
	"$(printf 'status: killed\ncause: crash\nEnded by SIGSEGV')"
echo "1..$n"
