# Real recordings of a job in the environment of a CI system, whose runners have made-up prices: the labels, the runner, the
# proposal of a smaller one for a job that needs one CPU, and the patch of a repository's file.
. tests/check.sh
cd "$D" || exit 1
unset RTRACK_ASKED
mkdir -p runs repository/.github/workflows
for i in 1 2 3 4 5; do
	env GITHUB_ACTIONS=true GITHUB_SERVER_URL=https://github.invalid GITHUB_REPOSITORY=acme/app GITHUB_RUN_ID=7$i \
		GITHUB_WORKFLOW='Nightly build' GITHUB_JOB=nap RUNNER_NAME=basement RUNNER_ENVIRONMENT=self-hosted RUNNER_ARCH=X64 \
		"$R" -q --no-discover-cloud -i 0.05 -o "runs/$i.json.gz" -- sh -c 'sleep 0.8; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
done
facts=$(zcat runs/1.json.gz | head -c 4096)
vcpus=$(grep -oP '"vcpus":\K[0-9]+' <<<"$facts" | head -n 1)
gib=$(awk "BEGIN { print $(grep -oP '"machine_memory_bytes":\K[0-9]+' <<<"$facts" | head -n 1) / 2 ^ 30 }")
check_equal 'labels: which job it is comes first' "$(grep -oP '"labels":"\K[^"]*' <<<"$facts" | cut -d ';' -f 1-6)" \
	'ci.provider=github-actions;ci.workflow=Nightly build;ci.job=nap;ci.repository=acme/app;ci.runner=basement;ci.runner_kind=self-hosted'
{
	printf 'github-actions\tbasement\town\t%s\t%s\tx64\t0.02\t1\t0\t2026-01-01\thttps://wiki.invalid/\n' "$vcpus" "$gib"
	printf 'github-actions\tattic\town\t1\t%s\tx64\t0.01\t1\t0\t2026-01-01\thttps://wiki.invalid/\n' "$gib"
} >prices.tsv
printf 'name: Nightly build\njobs:\n  nap:\n    runs-on: basement # all CPUs\n' >repository/.github/workflows/nightly.yaml
"$F" ci --slowdown 100 --runner-prices prices.tsv --ci-root repository --ci-patch ci.patch --csv ci.csv -o ci.html runs 2>err
check_equal 'it is written' "$?" 0
if [ "$vcpus" -gt 1 ]; then
	check_equal 'a job that needs one CPU gets a runner with one' "$(tail -n 1 ci.csv | cut -d , -f 1,3,4,7,8)" \
		'"saves_money","Nightly build","nap","basement","attic"'
	check 'the patch applies' git -C repository apply ../ci.patch
	check_equal 'and changes the label alone' "$(tail -n 1 repository/.github/workflows/nightly.yaml)" '    runs-on: attic # all CPUs'
	check 'the page has the patch' grep -q '^+    runs-on: attic # all CPUs$' ci.html
else
	skip 'a job that needs one CPU gets a runner with one' 'one CPU'
fi
echo "1..$n"
