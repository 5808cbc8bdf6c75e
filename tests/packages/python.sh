#!/bin/bash
# The wheel: made twice, installed in a virtual environment, removed; and its module (tests/packages/test_rtrack.py).
. tests/check.sh
python=/usr/bin/python3
"$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip_all 'python3-venv is not installed'
unset "${!PIP_@}" "${!PYTHON@}"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
tests=$PWD/tests/packages/test_rtrack.py module=$PWD/packaging/python/rtrack stub=$PWD/tests/services/keeper_stub.mjs

wheel() { # FOLDER
	flock "$B" make -s wheel B="$build" WHEEL_PROGRAMS="$build" WHEEL_OUT="$1" ${CC:+CC="$CC"}
}
check 'make wheel' wheel "$D/one"
touch packaging/python/rtrack/*.py
check 'make wheel again' wheel "$D/two"
w=$(echo "$D"/one/*.whl)
check 'it has the same bytes' cmp "$w" "$D"/two/*.whl
check 'its name has the platform' grep -qE '^rtrack-[0-9.]+(\+[0-9a-z.]+)?-py3-none-[a-z]*linux_[0-9a-z_]+\.whl$' <<<"${w##*/}"
check_that 'the module has at most 1160 lines that are not blank' "$(cat "$module"/*.py | grep -c .) <= 1160"
cd "$D" || exit 1

"$python" -m venv 'an env' || exit 1
e="$D/an env"
files() { find "$e" | sort; }
files >before
check 'pip installs it' "$e/bin/pip" install -q --no-index --no-deps "$w"
check 'pip check' "$e/bin/pip" check
check_equal 'pip has its version' "$("$e/bin/pip" show rtrack | sed -n 's/^Version: //p')" "$("$R" --version | cut -d' ' -f2)"
for program in rtrack-collect rtrack-report rtrack-fleet; do
	check "$program is on PATH" cmp "$e/bin/$program" "$B/$program"
	check "$program runs" "$e/bin/$program" --version
done

if command -v node >/dev/null; then
	node "$stub" >url & node=$!
	clean_up() { kill $node; }
	wait_until larger url 0
	export KEEPER=$(<url) SERVERS=${stub%/services/*}/fixtures/keeper/servers.json
fi
case ${RTRACK_SHARED-} in ?*) RTRACK_SHARED=$(realpath "$OLDPWD/$RTRACK_SHARED") ;; esac
mkdir tmp
TMPDIR=$D/tmp timeout 1000 "$e/bin/python" -W error -W ignore::ResourceWarning "$tests" >log 2>err
check_equal 'the tests end' $? 0
while IFS= read -r line; do
	case $line in
	'ok '*) passed "${line#ok }" ;;
	'skip '*) skip "${line#skip }" ;;
	'not ok '*) n=$((n + 1)) && echo "not ok $n - ${line#not ok }" ;;
	*) echo "$line" ;;
	esac
done <log
check_equal 'no temporary file is left' "$(ls -A tmp)" ''

check 'pip removes it' "$e/bin/pip" uninstall -q -y rtrack
files >after
# pip leaves the folders of a namespace, in which Metaflow looks for cards.
check 'nothing is left' diff before <(grep -v '/metaflow_extensions' after)
check_equal 'but empty folders' "$(find "$e" -path '*/metaflow_extensions*' ! -type d)" ''
echo "1..$n"
