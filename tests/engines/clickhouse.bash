# Real ClickHouse servers on loopback, for the tests of this folder. The caller has sourced tests/check.sh, and is root.
#
#   clickhouse_start     starts two servers, which are the two shards of the cluster "two", below $D/ch. The port of the
#                        first's HTTP is $port, the second's is the next. The user "ann" has the password "geheim: '\é".
#   clickhouse_end N     ends server N (0, 1) with SIGKILL, as a crash would
#   clickhouse_again N   starts it again, on its data
#   clickhouse_stop      ends both
#   ask N SQL            the answer of server N, as the default user
servers=() port=''
. tests/engines/free_ports.bash

clickhouse_configure() { # N
	local d=$D/ch/$1
	mkdir -p "$d"/{data,log,tmp}
	cat >"$d/config.xml" <<C
<yandex>
<logger><level>warning</level><log>$d/log/log</log><errorlog>$d/log/err</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>$((port + $1))</http_port><tcp_port>$((port + 2 + $1))</tcp_port>
<interserver_http_port>$((port + 4 + $1))</interserver_http_port>
<path>$d/data/</path><tmp_path>$d/tmp/</tmp_path><users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>100000000</mark_cache_size>
<remote_servers><two>
<shard><replica><host>127.0.0.1</host><port>$((port + 2))</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>$((port + 3))</port></replica></shard>
</two></remote_servers>
</yandex>
C
	cat >"$d/users.xml" <<C
<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<ann><password>geheim: '\\é</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></ann>
</users></yandex>
C
}

ask() { curl -sS "http://127.0.0.1:$((port + $1))/" --data-binary "$2"; }
answers() { [ "$(ask "$1" 'SELECT 1' 2>/dev/null)" = 1 ]; }

clickhouse_again() { # N
	(cd "$D/ch/$1" && exec clickhouse-server --config-file="$D/ch/$1/config.xml" >>out 2>&1) &
	servers[$1]=$!
	wait_until answers "$1"
}

clickhouse_start() {
	port=$(free_ports 6) || return 1
	clickhouse_configure 0 && clickhouse_configure 1 && clickhouse_again 0 && clickhouse_again 1
}

clickhouse_end() { # N
	kill -KILL "${servers[$1]}" && wait "${servers[$1]}" 2>/dev/null
	unset "servers[$1]"
}

clickhouse_stop() {
	local i
	for i in "${!servers[@]}"; do clickhouse_end "$i"; done
}
