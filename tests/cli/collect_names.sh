# The default name of a job: scripts in two folders, files that are made for one run; one history each.
R=$(realpath "$B")/rtrack-collect P=$(realpath "$B")/rtrack-report F=$(realpath "$B")/rtrack-fleet D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" && mkdir -p a b task || exit
unset "${!GITHUB_@}" "${!CI@}" "${!SLURM_@}" "${!NXF_@}" "${!SNAKEMAKE_@}"
echo 'exit 0' | tee a/run.sh b/run.sh .command.sh >jenkins123.sh
printf "### name: 'ALIGN (sample 7)'\n" >task/.command.run
printf 'all:\n' | tee a/Makefile >b/Makefile

name() { # OPTION… -- COMMAND…
	"$R" -q -o run.json.gz "$@" >/dev/null
	printf '%s: ' "$*"
	zcat run.json.gz | grep -o '"name":"[^"]*"' | head -1 | cut -d'"' -f4
}
name -- sh a/run.sh
name -- sh b/run.sh
name -- sh ./a/run.sh x
name --name mine -- sh a/run.sh
name -- make -C a
name -- make -f b/Makefile all
name -- sh .command.sh
NXF_TASK_WORKDIR=$D/task name -- sh .command.sh
SNAKEMAKE_RULE=align SNAKEMAKE_JOBID=1 name -- sh jenkins123.sh
GITHUB_ACTIONS=true GITHUB_JOB=build name -- sh jenkins123.sh

# Recordings of an earlier version, which called both run.sh, are named by the same rule.
rm -f ./*.json.gz
for script in a b; do
	"$R" -q -o "$script.json.gz" -- sh "$script/run.sh"
	"$R" -q -o new.json.gz -- sh "$script/run.sh"
	zcat new.json.gz | sed "s|\"name\":\"$script/run.sh\"|\"name\":\"run.sh\"|g" | gzip >"old-$script.json.gz"
	rm new.json.gz
done
zcat old-*.json.gz | grep -o '"name":"run.sh"' | uniq
"$F" groups --csv - . 2>/dev/null | cut -d, -f1,2 | grep run.sh
"$P" --offline --json a.json a.json.gz -c old-b.json.gz -c old-a.json.gz
grep -oE '"group":"name [^"]*","runs":[0-9]*' a.json
