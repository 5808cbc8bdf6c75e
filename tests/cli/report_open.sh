# --open passes the page to xdg-open; --integration names the program that called.
P=$(realpath "$B")/rtrack-report run=$(realpath tests/fixtures/runs_report/now.json) D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
mkdir bin
printf '#!/bin/sh\necho "loud"\necho "$# $1" >shown\n' >bin/xdg-open
chmod +x bin/xdg-open
report() { PATH=$D/bin:$PATH "$P" --offline "$@" "$run" 2>&1; echo "status $?"; }
report --open && cat shown
report --open -o -odd.html --text x.txt && cat shown
echo '-- it fails, or is not there'
printf '#!/bin/sh\nexit 3\n' >bin/xdg-open
report --open
rm bin/xdg-open
PATH=$D/bin "$P" --offline --open "$run" 2>&1
echo "status $?"
echo '-- nothing to show'
report --open --text -
report --open -o -
echo '-- what made it'
report -o a.html -j a.json --integration 'Some <b>engine</b>'
grep -o 'Written by rtrack-report [^,]*' a.html | sed 's/ [0-9][0-9.]*\(+[0-9a-z.]*\)\{0,1\} / VERSION /'
grep -o '"integration":"[^"]*"' a.json
