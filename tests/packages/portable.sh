# `make static` and `make tarball`: programs that run where there is nothing, or an old C library, or another build.
# Only make test-release runs it.
. tests/check.sh
. tests/packages/root.bash
cd "$(dirname "$0")/../.." || exit 1
root_need
# Other tests use the same build folder.
make() { flock "$B" make "$@" B="$build"; }
X=$PWD/build/portable
check 'make tarball' make tarball
tarball=$(echo build/rtrack-"$(make -s version)"-linux-$(uname -m).tar.gz)
[ -x "$X/rtrack-collect-static" ] && [ -e "$tarball" ] || { echo "1..$n" && exit 1; }
name=$(basename "$tarball" .tar.gz)

# -- what they need ------------------------------------------------------------------------------------
needed() { readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | xargs; }
# Up to glibc 2.33 these were apart.
libc_only() { readelf -dW "$1" | grep '(NEEDED)' | grep -vE '\[lib(c|m|dl|pthread)\.so\.[0-9]\]|\[ld-linux'; }
check_that 'the static rtrack-collect has at most 1.7 MB' "$(stat -c %s "$X/rtrack-collect-static") <= 1700000"
check_equal 'it needs no library' "$(needed "$X/rtrack-collect-static")" ''
check_equal 'and no dynamic linker' "$(readelf -lW "$X/rtrack-collect-static" | grep -c INTERP)" 0
for program in rtrack-collect rtrack-report rtrack-fleet; do
	check_equal "$program needs no library but libc's" "$(libc_only "$X/$program")" ''
	case $(uname -m) in
	x86_64) check_equal "$program needs no newer glibc than 2.17" "$(packaging/glibc_needed "$X/$program" |
		sed 's/.* //; s/^/2.17\n/' | sort -V | tail -n 1)" 2.17 ;;
	esac
	check_equal "$program does not name the folder in which it was built" "$(grep -c -a -F "$PWD" "$X/$program")" 0
done
make static >"$D/said" 2>&1
check_equal 'linking says no warning' "$(grep -ci warning "$D/said")" 0

# -- always the same bytes -----------------------------------------------------------------------------
sum=$(sha256sum <"$tarball")
touch -c "$X"/rtrack-* "$X"/objects/completions/*/* collect/*.1
check 'the tarball is packed again' make tarball
check_equal 'with the same bytes' "$(sha256sum <"$tarball")" "$sum"
check 'as the sum beside it says' sh -c "cd build && sha256sum -c '$name.tar.gz.sha256'"
# The wheel of these programs: for any machine with that glibc, and with the licences of what is in them.
check 'make wheel' make wheel WHEEL_OUT="$D"
wheel=$(cd "$D" && echo *.whl)
case $(uname -m) in
x86_64) check_equal 'it is for any Linux since glibc 2.17' "${wheel#*-none-}" manylinux_2_17_x86_64.whl ;;
esac
(cd "$D" && python3 -m zipfile -e "$wheel" wheel)
check_equal 'it has these programs' "$(cat "$D"/wheel/*.data/scripts/* | sha256sum)" "$(cat "$X/rtrack-collect" "$X/rtrack-fleet" "$X/rtrack-report" | sha256sum)"
check_equal 'and every licence that its list names' "$(ls "$D"/wheel/*/licences | xargs)" \
	'Apache-2.0 Expat OpenSSL README SQLite cJSON curl uPlot zlib'
# Another folder, with a blank in its name.
other="$D/another folder"
mkdir -p "$other/build/portable" "$other/tests"
cp -R Makefile collect core packaging report "$other"
cp tests/install "$other/tests"
cp -a "$X/libs" "$other/build/portable"
check 'rtrack-collect is built in another folder' make -C "$other" PORTABLE_PROGRAMS=rtrack-collect portable
check 'with the same bytes' cmp "$X/rtrack-collect" "$other/build/portable/rtrack-collect"

# -- in a root that holds nothing else -----------------------------------------------------------------
note() { zcat "$1" | grep -c -F -e "$2"; }
root_empty
cp "$X/rtrack-collect-static" "$root/rtrack-collect"
bare() { chroot "$root" "$@"; }
with_proc() {
	root_apart 'mount -t proc proc "$1/proc" || exit 125
		chroot "$@"
		status=$?
		umount "$1/proc"
		exit $status' "$root" "$@"
}
mkdir "$root/proc"
for run in bare with_proc; do
	check_equal "it records a command in an empty root ($run)" \
		"$($run /rtrack-collect -q -o /$run.json.gz -- /rtrack-collect --version)" "$("$X/rtrack-collect" --version)"
	check "rtrack-report reads the recording ($run)" "$X/rtrack-report" --offline -o "$D/page.html" "$root/$run.json.gz"
	check_equal "no GPU is missed where there is none ($run)" "$(note "$root/$run.json.gz" 'NVIDIA GPUs were not')" 0
done
# A driver is there: the folder that WSL has.
mkdir -p "$root/usr/lib/wsl/lib"
timeout -s INT 1 chroot "$root" /rtrack-collect -q -i 0.1 -o /gpu.json.gz
check_equal 'where there is an NVIDIA GPU, it says that it cannot measure it' \
	"$(note "$root/gpu.json.gz" 'NVIDIA GPUs were not measured: this rtrack-collect is linked statically and cannot load')" 1
cp "$X/rtrack-collect" "$root/dynamic"
bare /dynamic --version >/dev/null 2>&1
check_that 'the other rtrack-collect cannot run there' "$? != 0"

# -- the tarball, in clean roots of today and with an old C library -------------------------------------
cat >"$D/job" <<'EOF'
awk 'BEGIN { for (i = 0; i < 300000; i++) print (i * 16807) % 2147483647 }' >text
[ -z "${RTRACK_MARK-}" ] || rtrack-collect --mark sort
sort text >sorted
gzip -3 sorted
exit 3
EOF
install_tarball() {
	cp "$tarball" "$root/tmp" && cp "$D/job" "$root/home/user/job" && root_run sh -c "
		cd /tmp && tar -xf $name.tar.gz && cd $name && sha256sum --quiet -c SHA256SUMS && cp -R bin share /usr/local"
}
# A server with a certificate of our own, on this machine.
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$D/key" -out "$D/cert" -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost 2>/dev/null
serve() {
	openssl s_server -quiet -www -accept "127.0.0.1:$1" -key "$D/key" -cert "$D/cert" >/dev/null 2>&1 </dev/null &
	server=$!
}
clean_up() { [ -z "${server-}" ] || kill "$server"; }
prices() { # VARIABLE=VALUE…
	root_user env "$@" rtrack-report --keeper-url "https://localhost:$port" --keeper-cache '' -o page.html job.json.gz 2>&1 |
		sed -n 's/^rtrack-report: no prices: //p'
}
# What it says after a handshake: the server has a page of its own to give.
spoken='the answer is a web page, not JSON'
for suite in "$root_own" bullseye; do
	root_fresh "$suite" || { skip "Debian $suite" 'it is not to be had' && continue; }
	library="Debian $suite ($(root_run ldd --version | sed -n '1s/.* /glibc /p'))"
	check "$library: the tarball is unpacked and copied" install_tarball
	for collect in rtrack-collect rtrack-collect-static; do
		root_user "$collect" -q -i 0.1 -o job.json.gz -- sh job 2>"$D/err"
		check_equal "$library: $collect records a job" "$?" 3
		check_equal "$library: with its phase" "$(note "$root/home/user/job.json.gz" '"name":"sort"')" 1
		check "$library: rtrack-report reports it" \
			root_user rtrack-report --offline -o page.html --json page.json job.json.gz
		check_that "$library: in a page" "$(stat -c %s "$root/home/user/page.html") > 60000"
	done
	check "$library: rtrack-fleet keeps it in a database" root_user rtrack-fleet add --catalog runs.db job.json.gz
	check "$library: and tells about it" root_user rtrack-fleet groups --offline --catalog runs.db -o groups.html
	# A driver is there: the folder that WSL has.
	mkdir -p "$root/usr/lib/wsl/lib"
	cp "$B/tests/fake/libnvidia-ml-fake.so" "$root/lib/libnvidia-ml.so.1"
	root_user env FAKE_NVML='gpus 1; util 0 50; name 0 Portable' rtrack-collect -q -i 0.1 -o gpu.json.gz -- sleep 1
	check_equal "$library: rtrack-collect loads NVIDIA's library" \
		"$(zcat "$root/home/user/gpu.json.gz" | grep -o '"gpu_name":"[^"]*"')" '"gpu_name":"Portable"'
	check "$library: the man pages are there" root_run test -s /usr/local/share/man/man1/rtrack-collect.1
	port=$((20000 + RANDOM % 10000))
	serve $port
	wait_until openssl s_client -connect "127.0.0.1:$port" </dev/null >/dev/null 2>&1
	check_equal "$library: without certificates, it says so" "$(prices A=)" \
		"localhost:$port: the file of the certificates to trust cannot be read (is ca-certificates installed? SSL_CERT_FILE can name one)"
	cp "$D/cert" "$root/home/user/cert"
	cp /etc/ssl/certs/ca-certificates.crt "$root/home/user/others"
	check_equal "$library: it does not trust a server with a certificate of nobody" \
		"$(prices SSL_CERT_FILE=others)" "localhost:$port: its certificate cannot be trusted (SSL_CERT_FILE names the authorities: others)"
	check_equal "$library: it speaks TLS with one that it is to trust" "$(prices SSL_CERT_FILE=cert)" "$spoken"
	mkdir -p "$root/etc/pki/tls/certs"
	cp "$D/cert" "$root/etc/pki/tls/certs/ca-bundle.crt"
	check_equal "$library: and finds the certificates where Red Hat has them" "$(prices A=)" "$spoken"
	kill $server
	server=
done
echo "1..$n"
