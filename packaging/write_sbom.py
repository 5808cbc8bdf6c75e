"""Write what is linked into the portable programs, as SPDX 2.3 in JSON: the same bytes from the same programs.

write_sbom.py FOLDER TARBALL OUT

FOLDER is where `make static` put the programs and, in objects/, the linker's maps of them. The libraries are those that
the maps name, and their licences those of packaging/licences.txt; what neither knows is an error. VERSION, HOMEPAGE,
RELEASE_URL and SOURCE_DATE_EPOCH are what they are in the Makefile; CJSON_SRC, CURL_SRC and UPLOT_SRC are folders.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse

PROGRAMS = "rtrack-collect", "rtrack-collect-static", "rtrack-report", "rtrack-fleet"
# What Debian calls the sources, or what their names begin with.
NAMES = {"cjson": "cJSON", "curl": "curl", "zlib": "zlib", "openssl": "OpenSSL", "sqlite3": "SQLite", "expat": "Expat",
         "glibc": "glibc", "gcc-": "GCC"}
LICENCES = {"GCC": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def fail(message):
    sys.exit("write_sbom: " + message)


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def sha256(path):
    with open(path, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


def linked(path):
    """The archives of which a linker's map says that members were taken, and the object files; not rtrack's own."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    files = re.findall(r"^(\S+\.a)\(", text.partition("\nDiscarded input sections")[0], re.M)
    files += re.findall(r"^LOAD (\S+\.o)$", text, re.M)
    return {os.path.realpath(f) for f in files if not f.startswith(folder + "/objects/") and not f.startswith(parts + "/")
            or f.startswith(parts + "/lib")}


def debian(name, version):
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', open("/etc/os-release", encoding="utf-8").read(), re.M))
    return (f"pkg:deb/{release['ID']}/{name}@{urllib.parse.quote(version, safe='')}"
            f"?arch=source&distro={release['ID']}-{release['VERSION_ID']}")


def source_of(path):
    """Name, version and package URL of the sources of a file that was linked."""
    for library, folder in ("cjson", os.environ["CJSON_SRC"]), ("curl", os.environ["CURL_SRC"]):
        if os.path.basename(path) != f"lib{library}.a":
            continue
        if os.path.exists(folder + "/debian/changelog"):
            with open(folder + "/debian/changelog", encoding="utf-8") as stream:
                version = re.match(r"\S+ \((\S+)\)", stream.readline())[1]
            return library, version, debian(library, version)
        with open(f"{parts}/include/cjson/cJSON.h" if library == "cjson" else f"{parts}/include/curl/curlver.h",
                  encoding="utf-8") as stream:
            numbers = re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", stream.read())
        return library, ".".join(numbers[:3]), f"pkg:generic/{library}@{'.'.join(numbers[:3])}"
    try:
        package = output("dpkg", "-S", path).split(": ")[0]
    except subprocess.CalledProcessError:
        fail(path + " is of no package")
    fields = "${source:Package}\t${source:Version}\t${Version}"
    name, sources, number = output("dpkg-query", "-W", "-f", fields, package).split("\t")
    return name, number, debian(name, sources)


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def element(name, version, licence, location="NOASSERTION", **more):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": location,
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            **more}


def reference(url):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}]


folder, tarball, out = sys.argv[1:]
parts = folder + "/libs"
version = os.environ["VERSION"]
with open("packaging/licences.txt", encoding="utf-8") as table:
    rows = [re.split(r"\s{2,}", line.strip()) for line in table if line.startswith("  ")]
LICENCES.update((row[0], row[2]) for row in rows[1:])

relations, libraries = [], {}


def relate(one, kind, other):
    relations.append({"spdxElementId": identifier(one), "relationshipType": kind, "relatedSpdxElement": identifier(other)})


def link(program, kind, name, number, url):
    display = next((shown for begin, shown in NAMES.items() if name.startswith(begin)), name)
    if display not in LICENCES:
        fail(f"{name} has no row in packaging/licences.txt")
    libraries[display] = element(display, number, LICENCES[display], externalRefs=reference(url))
    if not any(r["spdxElementId"] == identifier(program) and r["relatedSpdxElement"] == identifier(display) for r in relations):
        relate(program, kind, display)


tarball_name = os.path.basename(tarball)
whole = element("rtrack", version, "MIT", os.environ["RELEASE_URL"] + "/" + tarball_name, packageFileName=tarball_name,
                checksums=[{"algorithm": "SHA256", "checksumValue": sha256(tarball)}], primaryPackagePurpose="APPLICATION",
                homepage=os.environ["HOMEPAGE"])
programs = []
relate("DOCUMENT", "DESCRIBES", "rtrack")
for program in PROGRAMS:
    programs.append(element(program, version, "MIT", packageFileName="bin/" + program, primaryPackagePurpose="APPLICATION",
                            checksums=[{"algorithm": "SHA256", "checksumValue": sha256(f"{folder}/{program}")}]))
    relate("rtrack", "CONTAINS", program)
    for source in sorted({source_of(path) for path in linked(f"{folder}/objects/{program}.map")}):
        link(program, "STATIC_LINK", *source)
with open(os.environ["UPLOT_SRC"] + "/package.json", encoding="utf-8") as stream:
    uplot = json.load(stream)["version"]
for program in "rtrack-report", "rtrack-fleet":
    link(program, "CONTAINS", "uPlot", uplot, "pkg:npm/uplot@" + uplot)

document = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
    "name": tarball_name.removesuffix(".tar.gz"),
    "documentNamespace": f"{os.environ['HOMEPAGE']}/spdx/{tarball_name}-{sha256(tarball)}",
    "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
                     "creators": [f"Tool: rtrack-write_sbom-{version}"]},
    "packages": [whole, *programs, *(libraries[name] for name in sorted(libraries))],
    "relationships": relations,
}
with open(out, "w", encoding="utf-8") as stream:
    json.dump(document, stream, indent=1)
    stream.write("\n")
