# A real S3 server on loopback, for the tests of this folder: Ceph's radosgw, which verifies signatures, over one monitor and one
# OSD that keeps its objects in memory. The caller has sourced tests/check.sh.
#
#   s3_missing       the first Debian package that is not installed; nothing if all are
#   s3_start         starts all of it below $S, in about ten seconds, and sets $s3_port. Fails if it does not come up.
#   s3_user NAME     adds a user, whose access key is AKIANAME and whose secret is secret-of-NAME
#   s3_as NAME       this user's keys from now on, and this server, in the environment
#   s3_down, s3_up OPTION…   ends radosgw alone, as a crash would, and starts it again on its data
#   s3_stop          ends everything and waits for it
#   s3 COMMAND…      a client that shares no code with rtrack: tests/engines/s3/client.mjs
#   proxy_start      starts tests/engines/s3/proxy.mjs, at port $proxy_port, and with TLS at the next if there is openssl
#   proxied COMMAND… runs the command with the proxy in the server's place
#   rules JSON       how the proxy breaks things from now on; without an argument, not at all
#   seen FIELD       a number of what passed since the last time, such as requests or kinds.list (a sum of several: 'kinds.put+in');
#                    seen_again FIELD: another one of the same time
S='' s3_port='' s3_daemons=() s3_gateway='' s3_osd='' proxy_port=''
. tests/engines/free_ports.bash
s3_client=$PWD/tests/engines/s3/client.mjs s3_proxy=$PWD/tests/engines/s3/proxy.mjs

s3_missing() {
	command -v radosgw radosgw-admin >/dev/null || { echo radosgw && return; }
	command -v ceph-mon monmaptool >/dev/null || { echo ceph-mon && return; }
	command -v ceph-osd >/dev/null || { echo ceph-osd && return; }
	command -v ceph >/dev/null || echo ceph-common
}

s3_configure() { # folder below /tmp: sockets have short names, and Ceph takes no blanks
	S=$(mktemp -d /tmp/rtrack-s3.XXXXXX) && mkdir "$S"/{mon,osd,rgw,run,log} || return 1
	s3_port=$(free_ports 2) || return 1
	cat >"$S/ceph.conf" <<C
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_initial_members = a
mon_host = [v1:127.0.0.1:$((s3_port + 1))]
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 1073741824
mon_allow_pool_size_one = true
mon_data = $S/mon
osd_data = $S/osd
rgw_data = $S/rgw
rgw_thread_pool_size = 64
rgw_sts_key = abcdefghijklmnop
run_dir = $S/run
log_file = $S/log/\$name.log
admin_socket =
pid_file =
C
}

# In the background, and ended with this shell, however that ends.
s3_daemon() { setpriv --pdeathsig KILL "$1" -c "$S/ceph.conf" "${@:2}" -f >>"$S/log/out" 2>&1 & }
ceph_here() { timeout 20 ceph -c "$S/ceph.conf" "$@" 2>/dev/null; }
# It may ask the monitor before it knows its fsid, and then ends at once: "wrong fsid".
osd_begin() {
	s3_daemon ceph-osd -i 0
	s3_osd=$!
	s3_daemons+=($!)
}
osd_is_up() {
	kill -0 "$s3_osd" 2>/dev/null || osd_begin
	sleep 0.2
	ceph_here osd stat | grep -q '1 up'
}
s3_answers() { curl -s -o "$S/answer" "http://127.0.0.1:$s3_port"; }
s3_user() {
	timeout 60 radosgw-admin -c "$S/ceph.conf" user create --uid="$1" --display-name="$1" --access-key="AKIA${1^^}" \
		--secret="secret-of-$1" --caps='user-policy=*' >>"$S/log/out" 2>&1
}

s3_start() {
	[ -z "$(s3_missing)" ] && s3_configure || return 1
	monmaptool --create --clobber --addv a "[v1:127.0.0.1:$((s3_port + 1))]" \
		--fsid "$(sed -n 's/^fsid = //p' "$S/ceph.conf")" "$S/monmap" >>"$S/log/out" 2>&1 &&
		ceph-mon -c "$S/ceph.conf" -i a --mkfs --monmap "$S/monmap" || return 1
	s3_daemon ceph-mon -i a
	s3_daemons+=($!)
	wait_until ceph_here osd create >>"$S/log/out" || return 1
	ceph-osd -c "$S/ceph.conf" -i 0 --mkfs >>"$S/log/out" 2>&1 || return 1
	osd_begin
	ceph_here osd crush add osd.0 1 root=default host=h
	wait_until osd_is_up && s3_up && s3_user owner && s3_as owner
}

s3_up() {
	s3_daemon radosgw -n client.rgw "$@" --rgw-frontends "beast endpoint=127.0.0.1:$s3_port"
	s3_gateway=$!
	wait_until s3_answers
}
s3_down() {
	kill -KILL "$s3_gateway"
	wait "$s3_gateway" 2>/dev/null
	return 0
}

s3_as() {
	unset "${!AWS_@}"
	export AWS_ACCESS_KEY_ID=AKIA${1^^} AWS_SECRET_ACCESS_KEY=secret-of-$1 AWS_REGION=us-east-1 \
		AWS_ENDPOINT_URL=http://127.0.0.1:$s3_port AWS_EC2_METADATA_DISABLED=true
}

s3() { node "$s3_client" "$@"; }

proxy_answers() { curl -s -o "$S/answer" "http://127.0.0.1:$proxy_port/-/seen"; }
proxy_start() {
	proxy_port=$(free_ports 2) || return 1
	setpriv --pdeathsig KILL node "$s3_proxy" "$proxy_port" 2>>"$S/log/proxy" &
	s3_daemons+=($!)
	if openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout "$S/key.pem" -out "$S/cert.pem" -subj /CN=localhost \
		-addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>>"$S/log/out"; then
		setpriv --pdeathsig KILL node "$s3_proxy" $((proxy_port + 1)) "$S/cert.pem" "$S/key.pem" 2>>"$S/log/proxy" &
		s3_daemons+=($!)
	fi
	wait_until proxy_answers
}
proxied() { AWS_ENDPOINT_URL=http://127.0.0.1:$proxy_port "$@"; }
rules() { curl -s "http://127.0.0.1:$proxy_port/-/rules" -d "${1:-[]}" >"$S/seen"; }
seen_again() {
	node -e 'const seen = JSON.parse(require("fs").readFileSync(process.argv[1]));
		const value = name => name.split(".").reduce((o, k) => o?.[k], seen) ?? 0;
		console.log(process.argv[2].split("+").map(value).reduce((a, b) => a + b));' "$S/seen" "$1"
}
seen() {
	curl -s "http://127.0.0.1:$proxy_port/-/seen" >"$S/seen"
	seen_again "$1"
}

s3_stop() {
	[ -n "$S" ] || return 0
	# The objects are in memory: nothing is worth a slow end.
	kill -KILL "$s3_gateway" "${s3_daemons[@]}" 2>/dev/null
	wait "$s3_gateway" "${s3_daemons[@]}" 2>/dev/null
	s3_daemons=() s3_gateway=''
	rm -rf "$S"
}
