# broken_links FOLDER: prints the links of the documents there, FILE: TARGET, that name no file, or no heading of one.
broken_links() {
	(
		cd "$1" && find . -name '*.md' | sort | while IFS= read -r document; do
			# Blocks of code and `code` have no links.
			sed -e '/^ *```/,/^ *```/d' -e 's/`[^`]*`//g' "$document" | grep -oE '\]\([^):[:space:]]+\)' | sed 's/^](//; s/)$//' | sort -u |
				while IFS= read -r target; do
					file=${target%%#*} heading=
					case $target in *'#'*) heading=${target#*#} ;; esac
					[ -z "$file" ] && file=$document || file=${document%/*}/$file
					[ -e "$file" ] && { [ -z "$heading" ] || headings "$file" | grep -qxF "$heading"; } || echo "$document: $target"
				done
		done
	)
}
# As GitHub names them: small letters, without punctuation, a dash for each blank.
headings() { # FILE
	sed -e '/^ *```/,/^ *```/d' "$1" | sed -n 's/^##* //p' | tr '[:upper:]' '[:lower:]' | sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/[^[:alnum:] _-]//g; s/ /-/g'
}
