# A pipeline of GitLab's, by gitlab-ci-local with its shell executor: jobs that do not change are recorded and reported.
. tests/check.sh
. tests/hooks/recipe.bash
gitlab=$ROOT/tests/hooks/gitlab/node_modules/gitlab-ci-local/src/index.js
[ -e "$gitlab" ] || skip_all 'gitlab-ci-local is not installed: make engine-deps'
command -v rsync >/dev/null || skip_all 'rsync is not installed'
mkdir "$D/a b" && cd "$D/a b" || exit 1
export HOME=$D RTRACK_KEEPER_URL=http://127.0.0.1:9 XDG_CACHE_HOME=$D/cache GIT_CONFIG_NOSYSTEM=1
recipe gitlab >rtrack.gitlab-ci.yml
cat >.gitlab-ci.yml <<'EOF'
include: rtrack.gitlab-ci.yml

build things:
  script:
    - echo "building $CI_JOB_NAME"
    - sleep 1
    - X=1
    - echo "x is $X" >built

broken:
  script:
    - sleep 0.2
    - exit 3

# The job ends, and everything in its container.
contained:
  script:
    - sleep 0.5
    - kill -KILL $!
    - sleep 0.2

# The plain way: the command itself is wrapped.
wrapped:
  before_script: []
  script:
    - rtrack-collect -q -o rtrack.json.gz -- sh -c 'sleep 0.2; exit 4'
EOF
git init -q -b main . && git config user.email a@b.invalid && git config user.name a
git remote add origin https://gitlab.invalid/group/demo.git
git add . && git commit -qm 'a pipeline' || exit 1

# The job runs in this folder, as without isolation gitlab-ci-local has no folder of its own for each job.
job() { # NAME [OPTION]…
	rm -rf rtrack.* metrics.txt built
	git checkout -q .
	node "$gitlab" --no-artifacts-to-source "$@" >log 2>err
}
kept() { ls ".gitlab-ci-local/artifacts/$1" | paste -sd ' '; }

job 'build things'
check_equal 'a job: status, what it did' "$? $(cat built)" '0 x is 1'
check "a job: the recipe fits GitLab's schema" grep -q 'json schema validated' err
check 'a job: its output is there' grep -q '> building build things' log
check_equal 'a job: report and recording are artifacts' "$(ls .gitlab-ci-local/artifacts/build*/ | paste -sd ' ')" \
	'rtrack.html rtrack.json.gz'
check_equal 'a job: its name, labels of GitLab' "$(facts rtrack.json.gz | cut -d ' ' -f 1,2) $(
	zcat rtrack.json.gz | grep -oE '"ci\.(provider|job|repository)":"[^"]*"' | paste -sd ' ')" \
	'build things "ci.provider":"gitlab" "ci.job":"build things" "ci.repository":"group/demo"'
check_that 'a job: all of it is recorded' "$(zcat rtrack.json.gz | grep -oP '"wall_s":\K[0-9.]+' | head -n 1) > 0.2"
"$F" ci --offline --csv "$D/ci.csv" rtrack.json.gz 2>>err
check "a job: rtrack-fleet ci knows it by GitLab's labels" grep -q '"group/demo",,"build things",1,' "$D/ci.csv"
check 'a job: metrics for the merge request' grep -q '^rtrack_.*[0-9]$' metrics.txt
check_equal 'a job: a test case without a failure' "$(grep -c '<testcase' rtrack.xml) $(grep -c '<failure' rtrack.xml)" '1 0'
job broken --no-json-schema-validation
check_equal 'a job that fails: status' $? 1
check 'a job that fails: GitLab has its status' grep -q 'FAIL 3' err log
check_equal 'a job that fails: report and recording are artifacts' "$(kept broken)" 'rtrack.html rtrack.json.gz'
check 'a job that fails: a test case that failed' grep -q '<failure' rtrack.xml
job contained --no-json-schema-validation
check_equal 'a recorder that is killed: the job does not fail' $? 0
check_equal 'a recorder that is killed: what it had is reported' "$(kept contained)" 'rtrack.html rtrack.json.gz'
job wrapped --no-json-schema-validation
check_equal 'a command that is wrapped: status' "$? $(facts rtrack.json.gz | cut -d ' ' -f 1,2 | sed 's/-[0-9a-f]\{8\}//')" '1 sh 4'
check 'a command that is wrapped: GitLab has its status' grep -q 'FAIL 4' err log
echo "1..$n"
