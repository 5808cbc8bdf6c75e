# sampled JOURNAL: waits until a journal has a sample, two minutes at most. JOURNAL may be a pattern.
# until_sampled JOURNAL COMMAND…: runs a recorder until then, and stops it by SIGINT.
sampled() {
	local end=$((SECONDS + 120))
	# shellcheck disable=SC2086
	until [ "$(tail -qn +3 $1 2>/dev/null | wc -c)" -gt 0 ] || [ $SECONDS -gt $end ]; do sleep 0.05; done
}
until_sampled() {
	local p
	"${@:2}" &
	p=$!
	sampled "$1"
	kill -INT $p
	wait $p
}
