# What the tests of hooks share; sourced after tests/check.sh, in the root of the repository.
#
#   recipe NAME     prints the code below <!-- run: NAME --> in docs/recipes.md: what users read is what is tested
#   facts FILE…     of each recording a line: name, status, what was asked for; sorted
#   $ROOT           the repository; the programs are in the PATH, the report is offline
ROOT=$PWD
PATH=$B:$PATH
export PATH

recipe() {
	awk -v mark="<!-- run: $1 -->" '
		$0 == mark { there = 1; next }
		there && /^```/ { if (inside) exit; inside = 1; next }
		inside { print; lines++ }
		END { exit !lines }' "$ROOT/docs/recipes.md" || echo "no recipe $1" >&2
}

facts() {
	local f row
	for f; do
		row=$(zcat "$f" | head -c 4096)
		printf '%s %s cpus=%s memory=%s time=%s\n' \
			"$(grep -oP '"name":"\K[^"]*' <<<"$row" | head -n 1)" "$(grep -oP '"code":\K[^,]*' <<<"$row" | head -n 1)" \
			"$(grep -oP '"asked_cpus":\K[^,]*' <<<"$row")" "$(grep -oP '"asked_memory_bytes":\K[^,]*' <<<"$row")" \
			"$(grep -oP '"asked_time_s":\K[^,]*' <<<"$row")"
	done | sort
}
names_of() { facts "$@" | cut -d ' ' -f 1 | paste -sd ' '; }
