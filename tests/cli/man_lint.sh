# The man pages are clean and have the usual sections. A reference to a page that is not installed is not a fault.
pages='collect/rtrack-collect.1 report/rtrack-report.1 fleet/rtrack-fleet.1'
# shellcheck disable=SC2086
mandoc -Tlint $pages 2>&1 | grep -v -e 'referenced manual not found' -e 'mandoc.db'
for page in $pages; do
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS METRICS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
		grep -qx "\.Sh $section" "$page" || echo "$page: no section $section"
	done
done
echo checked
