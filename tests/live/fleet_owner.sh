# Whose a run is, in the folders that Slurm's plugin makes: the owner of the file, whatever the recording says.
. tests/check.sh
cd "$D" || exit
name=$(grep -m 1 -E "^[^:]*:[^:]*:$(id -u):" /etc/passwd | cut -d: -f1)
[ -n "$name" ] || skip_all 'this user has no name'
mkdir "$(id -u)" copied
"$R" -q --no-discover-cloud -o a.json.gz -- sleep 0.1
# forged FILE: the recording of a user mallory, who made it another run
forged() { zcat a.json.gz | sed -E '1s/("rtrack_row":\{"id":")[^"]*("[^}]*"user":")[^"]*"/\1feedfacefeedface\2mallory"/' | gzip >"$1"; }
users() { # FOLDER
	"$P" --offline --fleet --group-by user --json fleet.json -o fleet.html "$1" 2>err
	node -e 'console.log(JSON.parse(require("fs").readFileSync("fleet.json")).groups.rows.map(row => row.name).join(" "))' 2>&1
}
forged "$(id -u)/b.json.gz"
check_equal 'the owner of the file counts' "$(users .)" "$name"
check_equal 'and it says so' "$(cat err)" \
	"rtrack-report: $D/$(id -u)/b.json.gz: the file belongs to $name, but says that its user is \"mallory\"; $name counts"
mv "$(id -u)/b.json.gz" copied
check_equal 'of a file elsewhere, which anyone may have copied, what it says' "$(users copied) $(cat err)" 'mallory '
cp a.json.gz "$(id -u)"
check_equal 'where both are the same, nothing is said' "$(users "$(id -u)") $(cat err)" "$name "
echo "1..$n"
