# CI jobs and their runners: a table, the choice, the patch that git takes, prices of one's own, names that are hostile. The
# recordings are made up.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report D=$(realpath "$(mktemp -d)")
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# run FILE START WALL NEED VCPUS MEMORY_GB LABELS [TIME_AT [STATUS CODE OOM]]
run() {
	printf '{"rtrack_row":{"id":"%s","scope":"job","name":"step","user":"ann","host":"%s","start":%s,"wall_s":%s,"samples":600,"status":"%s","code":%s,"oom_kills":%s,"cpu_s":60,"cores_mean":1,"memory_mean_bytes":%s,"memory_peak_bytes":%s,"asked_cpus":%s,"asked_memory_bytes":%s,"asked_memory_source":"machine","time_at":[%s],"vcpus":%s,"machine_memory_bytes":%s,"workflow_run":"ci/%s","labels":"%s"}}\n' \
		"${1##*/}" "${1##*/}" "$2" "$3" "${9:-finished}" "${10:-0}" "${11:-0}" "$4" "$4" "$5" "$(($6 * 1000000000))" \
		"${8:-1,1,1,1,1,1,1,1,1}" "$5" "$(($6 * 1000000000))" "$2" "$7" >"$1"
}
wide=3.8,2.2,1.06,1,0.9,0.9,0.9,0.9,0.9 one=1,1,1,1,1,1,1,1,1 half=1.9,1,0.5,0.3,0.2,0.2,0.2,0.2,0.2 twice=1.9,1,0.5,0.5,0.5,0.5,0.5,0.5,0.5
mkdir -p runs
hub='ci.provider=github-actions;ci.repository=acme/app;ci.arch=X64'
lab='ci.provider=gitlab;ci.repository=acme/app;ci.arch=linux/amd64'
for i in 1 2 3 4 5 6 7 8; do
	at=$((1793500000 + i * 300000))
	run runs/build-$i.json $at $((300 + i)) 3000000000 8 33 "$hub;ci.workflow=CI;ci.job=build;ci.runner=big_1" $wide
	run runs/lint-$i.json $((at + 1)) $((50 + i)) 300000000 2 8 "$hub;ci.workflow=CI;ci.job=lint;ci.runner=GitHub Actions $i" $one
	run runs/test-$i.json $((at + 2)) 200 6500000000 2 8 "$hub;ci.workflow=CI;ci.job=test;ci.runner=GitHub Actions $i" $one
	run runs/unit-$i.json $((at + 3)) 120 1000000000 2 8 "$lab;ci.job=unit;ci.runner_tags=[\\\"saas-linux-small-amd64\\\"]" $half
	run runs/pack-$i.json $((at + 6)) 120 1000000000 2 8 "$lab;ci.job=pack;ci.runner_tags=[\\\"saas-linux-small-amd64\\\"]" $twice
	run runs/public-$i.json $((at + 4)) 120 1000000000 4 16 "$hub;ci.workflow=Public;ci.job=all;ci.runner=GitHub Actions 9" $half
	run runs/own-$i.json $((at + 5)) 100 1000000000 4 16 "$hub;ci.workflow=Own;ci.job=all;ci.runner=basement;ci.runner_kind=self-hosted" $half
done
run runs/test-9.json 1795900009 150 7800000000 2 8 "$hub;ci.workflow=CI;ci.job=test;ci.runner=GitHub Actions 9" $one failed 137 1
for i in 1 2 3; do
	run runs/docs-$i.json $((1795000000 + i)) 90 500000000 4 16 "$hub;ci.workflow=CI;ci.job=docs;ci.runner=mid_1" $one
done
run runs/other.json 1795000000 90 500000000 4 16 "scheduler=slurm"

show() { # PROGRAM ARGUMENT…
	echo "$ $(basename "$1") ${*:2}"
	SOURCE_DATE_EPOCH=1796000000 "$@" >out 2>&1
	echo "status $?" >>out
	sed "s,$D,FOLDER,g" out
	rm out
}
fleet() { show "$F" "$@"; }
report() { show "$R" "$@"; }
echo '--- the table'
fleet ci --csv - runs
fleet ci --text - --where label:ci.provider=github-actions runs
fleet ci --text - --where label:ci.provider=gitlab --slowdown 0 runs
echo '--- from a catalog; a period'
fleet add --catalog runs.db runs
fleet ci --catalog runs.db --csv - --since 2026-11-10 | cut -d, -f3-8
fleet ci --catalog runs.db --csv - --since 2027-01-01
rm runs.db*
echo '--- a patch'
git init -q repository
mkdir -p repository/.github/workflows
cat >repository/.github/workflows/ci.yml <<'END'
# The workflow.
name: "CI"  # of all
on: push

jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
    - run: |
        jobs:
          build:
            runs-on: nowhere
  build:   # the build
    name: Build
    runs-on: 'big'   # eight CPUs
    steps:
      - run: make
  test:
    runs-on: [ubuntu-latest]
    steps:
      - run: make test
END
printf 'unit:\n  tags:\n  - saas-linux-small-amd64 # small\n  script: make check' >repository/.gitlab-ci.yml
git -C repository add . && git -C repository -c user.name=a -c user.email=a@b.invalid commit -qm a
fleet ci --where label:ci.workflow=CI --ci-root repository --ci-patch a.patch runs
cat a.patch
git -C repository apply --check ../a.patch && git -C repository apply ../a.patch && git -C repository diff --stat
(cd repository && fleet ci --where label:ci.provider=gitlab --ci-patch - ../runs | tee ../b.patch)
sed '/^[$] \|^status/d' b.patch | git -C repository apply --check - && echo applies
fleet ci --where label:ci.workflow=CI --ci-root repository --text - runs | sed -n '/^Patch/,/^Prices/p'
fleet ci --ci-root nowhere --csv - runs
for i in 1 2; do cp runs/build-$i.json more-$i.json; done
sed -i 's,acme/app,acme/more,; s/build-/more-/' more-*.json
fleet ci --ci-patch - runs more-*.json
rm more-*
echo '--- prices'
"$F" --list-runners | grep -c '^git'
"$F" --list-runners | sed -n '/^github-actions\tubuntu-latest\t/p; /standard\t2/p' >prices.tsv
printf 'github-actions\tbasement\town\t4\t16\tx64\t0.001\t1\t0\t2024-01-01\thttps://wiki.invalid/\n' >>prices.tsv
fleet ci --runner-prices prices.tsv --where label:ci.workflow=Own --text - runs
printf 'a\tb\n' >bad.tsv
fleet ci --runner-prices bad.tsv --csv - runs
fleet ci --runner-prices none.tsv --csv - runs
echo '--- steps: recordings of a job in one run on one machine'
mkdir steps
for i in 1 2 3 4 5 6; do
	at=$((1793500000 + i * 300000))
	for step in build check; do
		run steps/x $at 100 1000000000 2 8 "$hub;ci.workflow=Steps;ci.job=all;ci.runner=GitHub Actions 1" $one
		sed "s/\"name\":\"step\"/\"name\":\"$step\"/; s/\"id\":\"x/\"id\":\"$step-$i/" steps/x >steps/$step-$i.json
	done
	rm steps/x
done
fleet ci --markdown - --json model.json steps | sed -n '/^####/,$p'
"$F" ci --csv - --now 1796000000 steps >a.csv
report --model model.json --csv b.csv
cmp a.csv b.csv && echo the same
rm model.json a.csv b.csv
echo '--- names'
mkdir hostile
for i in 1 2 3 4 5 6; do
	run hostile/a-$i.json $((1795000000 + i * 90000)) 300 1000000000 8 33 "$hub;ci.workflow=a|b \`c\` <script>;ci.job=x\\n| y | ::error::\`z\`;ci.runner=big" $wide
done
fleet ci --markdown - hostile
fleet ci -o - hostile | grep -c '<script>[^(]\|<b>x$'
fleet ci --ci-root repository --text - hostile | sed -n '/^Patch/,/^Prices/p'
echo '--- none, and mistakes'
fleet ci --text - runs/other.json
fleet ci --markdown - runs/other.json
fleet ci -o none.html runs/other.json
grep -c 'rtrack-collect -o\|gh run download\|^rtrack-fleet ci runs$' none.html
grep -c 'id="prices"\|id="method"\|ubuntu' none.html
fleet ci --json - runs/other.json | grep -o '"prices": *[a-z[{]*\|"method": *[a-z]*\|"start": *[a-z{]*'
run unfinished.json 1795000000 90 500000000 4 16 "$hub;ci.workflow=CI;ci.job=docs;ci.runner=mid_1" "" unfinished null
fleet ci --text - unfinished.json
rm none.html unfinished.json
fleet ci
fleet groups --ci-patch x runs
fleet ci --ci-patch x -o x runs
fleet ci runs
fleet ci --ci-patch none.patch runs/other.json
fleet ci --ci-patch none.patch --where name=nothing runs
ls
