#!/bin/bash
# Links of the documents: in the sources, and in packages, which have a part of them (packaging/doc_links).
. tests/check.sh
. tests/packages/doc_links.bash
copy() { # FOLDER FILE…
	mkdir "$D/$1" && cp --parents -R "${@:2}" "$D/$1"
}
packaging/list_sources | xargs -0 cp --parents -t "$D" --no-dereference 2>/dev/null
rm -rf "$D/tests/fixtures"
check_equal 'in the sources' "$(broken_links "$D" | grep -E '^\./([^/]*|docs/[^/]*)\.md: ')" ''
copy package README.md CHANGELOG.md docs
rm "$D"/package/docs/*.png
check_that 'some link to what a package leaves out' "$(broken_links "$D/package" | wc -l) > 5"
words() { find "$1" -name '*.md' | sort | xargs -d '\n' cat | sed -z 's/!\?\[\([^][]*\)\]([^)]*)/\1/g' | sha256sum; }
before=$(words "$D/package")
check 'packaging/doc_links' packaging/doc_links "$D/package"
check_equal 'then none does' "$(broken_links "$D/package")" ''
check_equal 'and the text is the same' "$(words "$D/package")" "$before"
check_that 'links to the other documents stay' "$(cat "$D"/package/README.md | grep -c '](docs/[a-z]*\.md') > 10"
copy few docs/slurm.md docs/operators.md
check 'of two documents' packaging/doc_links "$D/few"
check_equal 'no link is broken' "$(broken_links "$D/few")" ''
echo "1..$n"
