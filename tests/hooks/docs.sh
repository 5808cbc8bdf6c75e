# docs/recipes.md and docs/coming-from.md: options that they name exist, in the program that they name; so do links.
. tests/check.sh
. tests/hooks/recipe.bash
cd "$ROOT" || exit 1
pages='docs/recipes.md docs/coming-from.md'
options_in() { grep -oE '(^|[ ,])-(-[a-z][a-z-]*|[a-zA-Z])\b' | tr -d ' ,' | sort -u; }
options_of() { "$1" --help | options_in; }
options_of rtrack-collect >"$D/rtrack-collect"
options_of rtrack-report >"$D/rtrack-report"
# Accepted, but described in docs/templates.md alone.
grep -oE -- '--(gpu-ram|ram|time)-unit' docs/templates.md | sort -u >>"$D/rtrack-report"
# The help of rtrack-fleet lists its verbs, each "  VERB  what it does"; that of a verb, its options.
rtrack-fleet --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r verb; do
	rtrack-fleet "$verb" --help
done | options_in >"$D/rtrack-fleet"
sort -u "$D/rtrack-collect" "$D/rtrack-report" "$D/rtrack-fleet" >"$D/either"
check_that 'the programs have options' "$(wc -l <"$D/rtrack-collect") > 30 && $(wc -l <"$D/rtrack-report") > 50 && $(wc -l <"$D/rtrack-fleet") > 40"
# What is said of rtrack: of a table's rows, what is right of the other tool's.
ours() { sed -E 's/^\| ([^|]|\|\|)* \| (.*)/\2/' $pages; }
unknown() { # FILE: words of standard input that are not in it
	grep -oE '(^|[ `"'\''(,])-(-[a-z][a-z-]*|[a-zA-Z])\b' | sed -E "s/^[ \`\"'(,]//" | sort -u | grep -vxF -f "$1" | paste -sd ' '
}
# The words between a program's name and its command, another program, or the end of the line or code.
calls() { # PROGRAM
	ours | sed "s/', *'/ /g; s/\", *\"/ /g; s/, / /g" | grep -oP "(?<![/\w-])$1(?!\.json)\b[^\`|;#]*" | sed -E 's/ -- .*//; s/ -- *$//'
}
for program in rtrack-collect rtrack-report rtrack-fleet; do
	check_that "$program is called in the pages" "$(calls $program | wc -l) > 3"
	check_equal "every option that $program is given exists" "$(calls $program | unknown "$D/$program")" ''
done
check_equal 'every option of coming-from.md exists' \
	"$(pages=docs/coming-from.md ours | grep -oP '`\K-[^`]*(?=`)' | unknown "$D/either")" ''
check_equal 'an option that does not exist is found' "$(echo '`rtrack-collect --no-such -i`' | unknown "$D/rtrack-collect")" '--no-such'
check_equal 'every built-in template exists' "$(grep -ohE '@[a-z_]+\.[a-z]+' $pages | sort -u | while read -r name; do
	rtrack-report --help | grep -qF "$name" || echo "$name"
done)" ''
check_equal 'every link leads to a file and a heading' "$(grep -ohE '\]\([^)h#][^)]*\)' $pages | tr -d '()]' | sort -u | while IFS='#' read -r file anchor; do
	[ -e "docs/$file" ] || { echo "$file" && continue; }
	[ -z "$anchor" ] || sed -n 's/^#\{1,6\} //p' "docs/$file" | tr 'A-Z ' 'a-z-' | tr -d '`,:.()' | grep -qxF "$anchor" || echo "$file#$anchor"
done | paste -sd ' ')" ''
check_equal 'every heading that a page links to itself is there' "$(grep -ohE '\]\(#[^)]*\)' docs/coming-from.md | tr -d '()]#' | while read -r anchor; do
	sed -n 's/^#\{1,6\} //p' docs/coming-from.md | tr 'A-Z ' 'a-z-' | tr -d '`,:.()' | grep -qxF -e "$anchor" || echo "$anchor"
done)" ''
echo "1..$n"
