"""Check a list of what is linked in: check_sbom.py FILE.spdx.json TARBALL PORTABLE

It is well-formed as SPDX 2.3 asks, names the programs of the tarball by their sums, and for each program the libraries that
packaging/licences.txt names, which are those of the linker's maps, in the versions that the program itself has inside.
"""
import hashlib
import json
import re
import sys
import tarfile

path, tarball, portable = sys.argv[1:]
with open(path, encoding="utf-8") as stream:
    document = json.load(stream)

# -- the members that the published schema requires, and the forms that the specification gives them -----------------
assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0" and document["SPDXID"] == "SPDXRef-DOCUMENT"
assert document["name"] and re.fullmatch(r"https?://[^#\s]+", document["documentNamespace"])
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
assert document["creationInfo"]["creators"]
assert all(re.match(r"(Tool|Organization|Person): \S", creator) for creator in document["creationInfo"]["creators"])
packages = {package["SPDXID"]: package for package in document["packages"]}
assert len(packages) == len(document["packages"]), "an identifier twice"
for identifier, package in packages.items():
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", identifier), identifier
    assert package["name"] and package["versionInfo"] and package["downloadLocation"] and package["filesAnalyzed"] is False
    assert package["licenseConcluded"] == package["licenseDeclared"] != "NOASSERTION" and package["copyrightText"]
    for checksum in package.get("checksums", []):
        assert checksum["algorithm"] == "SHA256" and re.fullmatch("[0-9a-f]{64}", checksum["checksumValue"])
    for reference in package.get("externalRefs", []):
        assert (reference["referenceCategory"], reference["referenceType"]) == ("PACKAGE-MANAGER", "purl")
        assert re.fullmatch(r"pkg:[a-z]+/[^\s:]+@[^\s:]+", reference["referenceLocator"]), reference
relations = {}
for relation in document["relationships"]:
    one, kind, other = relation["spdxElementId"], relation["relationshipType"], relation["relatedSpdxElement"]
    assert (one in packages or one == "SPDXRef-DOCUMENT") and other in packages, relation
    assert kind in ("DESCRIBES", "CONTAINS", "STATIC_LINK"), kind
    relations.setdefault(one, []).append(other)
reached, last = {"SPDXRef-DOCUMENT"}, 0
while last != len(reached):
    last = len(reached)
    reached |= {other for one in reached for other in relations.get(one, [])}
assert reached == {"SPDXRef-DOCUMENT", *packages}, "nothing leads to an element"

# -- the programs -------------------------------------------------------------------------------------------------
with open(tarball, "rb") as stream:
    assert packages["SPDXRef-rtrack"]["checksums"][0]["checksumValue"] == hashlib.sha256(stream.read()).hexdigest()
with tarfile.open(tarball) as tar:
    programs = {m.name.rpartition("/")[2]: tar.extractfile(m).read() for m in tar if "/bin/" in m.name and m.isfile()}
assert sorted(programs) == sorted(packages[p]["name"] for p in relations["SPDXRef-rtrack"])
for program, content in programs.items():
    assert packages["SPDXRef-" + program]["checksums"][0]["checksumValue"] == hashlib.sha256(content).hexdigest(), program

# -- the libraries of each: the table, the map, the program ----------------------------------------------------------
with open("packaging/licences.txt", encoding="utf-8") as stream:
    table = [re.split(r"\s{2,}", line.strip()) for line in stream if line.startswith("  ")][1:]
FILES = {"libz": "zlib", "libcjson": "cJSON", "libcurl": "curl", "libssl": "OpenSSL", "libcrypto": "OpenSSL",
         "libsqlite3": "SQLite", "libexpat": "Expat", "libc": "glibc", "libc_nonshared": "glibc", "libgcc": "GCC", "libgcc_eh": "GCC"}
# cJSON has no version inside.
INSIDE = {"OpenSSL": "OpenSSL {}", "curl": "{}\0", "zlib": "inflate {} ", "SQLite": "{}", "Expat": "expat_{}", "uPlot": "uPlot {}"}
for program, content in programs.items():
    linked = {packages[p]["name"] for p in relations["SPDXRef-" + program]}
    named = {row[0] for row in table if row[1] == "all" or program in re.split("[ ,]", row[1])}
    # What starts a program is of glibc and GCC.
    assert linked == named | {"glibc", "GCC"}, (program, linked, named)
    for name, _, licence, _ in table:
        if name in linked:
            assert packages["SPDXRef-" + name]["licenseDeclared"] == licence, name
    with open(f"{portable}/objects/{program}.map", encoding="utf-8", errors="replace") as stream:
        archives = set(re.findall(r"^\S*/(\S+)\.a\(", stream.read(), re.M)) - {"libcore", "libcollect", "libreport", "libfleet"}
    assert {FILES[archive] for archive in archives} | {"glibc", "GCC"} == linked - {"uPlot"}, (program, archives)
    for name in linked & INSIDE.keys():
        number = re.match(r"(?:\d+:)?(\d+(?:\.\d+)+)", packages["SPDXRef-" + name]["versionInfo"])[1]
        assert INSIDE[name].format(number).encode() in content, (program, name, number)
    assert program in ("rtrack-report", "rtrack-fleet") or len(linked) == 4, linked
    assert ("SQLite" in linked) == (program == "rtrack-fleet"), linked
print(len(packages), "elements")
