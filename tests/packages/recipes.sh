#!/bin/bash
# Only make test-release runs it.
# The recipes for packagers against the build: what they say, the commands of each, run on the tarball with this machine's
# compiler (tests/packages/recipes/), and its own tests.
. tests/check.sh
tools=
for tool in python3 ruby nix-build rpmspec; do command -v $tool >/dev/null || tools="$tools $tool"; done
python3 -c 'import yaml' 2>/dev/null || tools="$tools python3-yaml"
[ -z "$tools" ] || skip_all "missing:$tools"
table=packaging/dependencies.tsv here=$PWD/tests/packages/recipes
home=https://example.org folder=https://example.org/files
# Other tests use the same build folder.
make_it() { make "$@" B="$build" HOMEPAGE=$home RELEASE_URL=$folder >"$D/made" 2>&1 || { cat "$D/made" && return 1; }; }
# shellcheck disable=SC2016
packages=$(printf 'include Makefile\nlist:; @echo $(BUILD_PACKAGES)\n' | make -s -f - list B="$build")
version=$("$P" --version | sed 's/.* //')

tarball=$D/rtrack-$version.tar.gz recipes=$D/recipes
exec 9<"$B" && flock 9
check 'make recipes' make_it recipes
cp -R build/recipes "$recipes" && cp "build/rtrack-$version.tar.gz" "$tarball"
check 'make install' make_it install DESTDIR="$D/root" PREFIX=/usr
exec 9<&-
sum=$(sha256sum <"$tarball" | cut -c1-64)
check_equal 'nothing is left to fill in' "$(grep -rE '@[A-Z_0-9]+@' "$recipes")" ''

# -- what is needed: the Makefile's list, what the programs are linked with, and the names elsewhere ----------------------
column() { # NAME
	grep -v '^#' $table | awk -F '\t' -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } $at != "-" { print $at }' | tr ' ' '\n' | sort
}
words() { tr ' ' '\n' | grep . | sort; }
check_equal 'the table has the packages of the build' "$(column debian)" "$(words <<<"$packages")"
check_equal 'and the libraries of the programs' "$(column linked)" \
	"$([ -z "$asan" ] && readelf -d "$R" "$P" "$F" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)"
check_equal 'the package for Debian is built of these' "$(grep -A 9 ^Build-Depends: packaging/debian/control.in | sed '/^Standards/,$d' |
	grep -oE 'lib[a-z0-9-]+-dev|zlib1g-dev' | sort -u)" "$(column debian | grep -vx -e gcc -e make -e libc6-dev)"

# -- the commands of each recipe --------------------------------------------------------------------------------------
installed() { (cd "$1" && find . -type f ! -name tested | sort); }
# Not what counts here, and as quick as the compiler can be.
export CFLAGS='-O0 -g0'
unset CC CPPFLAGS LDFLAGS MAKEFLAGS PREFIX DESTDIR B
follow() { # SYSTEM COMMAND…
	local system=$1 work=$D/$1
	mkdir -p "$work" && tar -C "$work" -xf "$tarball"
	check "$system: what the recipe does, and its tests" in_sources "$work" "${@:2}"
	check_equal "$system: version, address, sum, licence and what it needs are right" "$(sort "$work/fields")" "$(sort <<-EOF
		homepage $home
		licence MIT
		linux True
		needs $(column "$system" | xargs -d '\n')
		sha256 $sum
		tested True
		url $folder/rtrack-$version.tar.gz
		version $version
		EOF
	)"
	check_equal "$system: the files of make install" "$(installed "$work/installed")" "$(installed "$D/root/usr")"
	check_equal "$system: the program says its version" "$("$work/installed/bin/rtrack-collect" --version)" "rtrack-collect $version"
	rm -rf "$work"
}
in_sources() { # FOLDER COMMAND…
	(cd "$1/rtrack-$version" && "${@:2}" "$1/installed" >"$1/fields" 2>"$1/log") || { cat "$1/fields" "$1/log" | tail -n 30 && return 1; }
}
follow conda python3 "$here/conda.py" "$recipes/conda/recipe.yaml"
follow spack python3 "$here/spack.py" "$recipes/spack/package.py"
follow homebrew ruby "$here/homebrew.rb" "$recipes/homebrew/rtrack.rb"
# Nix itself, with a store of its own.
nix() { # PREFIX
	local nix=$D/nix-store settings=()
	export NIX_STORE_DIR=$nix/store NIX_STATE_DIR=$nix/state NIX_LOG_DIR=$nix/log NIX_CONF_DIR=$nix NIX_LOCALSTATE_DIR=$nix HOME=$nix
	settings=(--option sandbox false --option build-users-group '' --option substitute false --argstr recipe "$recipes/nix/package.nix"
		--argstr tarball "$tarball" --argstr flags "$CFLAGS" "$here/nixpkgs.nix")
	mkdir -p "$nix" && nix-instantiate --eval --strict --json "${settings[@]}" -A fields | python3 -c '
import base64, json, sys
fields = json.load(sys.stdin)
fields["sha256"] = base64.b64decode(fields.pop("hash").removeprefix("sha256-")).hex()
fields["needs"] = " ".join(sorted(fields["needs"]))
for item in fields.items():
    print(*item)' &&
	nix-build --no-out-link "${settings[@]}" -A built >"$D/nix.path" && cp -R "$(<"$D/nix.path")" "$1" && echo tested "$(test -s "$1/tested" && echo True)"
}
follow nix nix

# -- the spec file, which tests/packages/rpm.sh builds ------------------------------------------------------------------
spec() { rpmspec -q --srpm "$@" "$recipes/rpm/rtrack.spec" 2>/dev/null; }
check_equal 'rpm: version, licence and homepage are right' "$(spec --qf '%{name} %{version} %{license} %{url}')" "rtrack $version MIT $home"
check_equal 'rpm: its source is the tarball' "$(rpmspec -P "$recipes/rpm/rtrack.spec" 2>/dev/null | sed -n 's/^Source0: *//p')" "$folder/rtrack-$version.tar.gz"
check_equal 'rpm: what it needs' "$(spec --buildrequires | sort)" "$(column rpm)"
echo "1..$n"
