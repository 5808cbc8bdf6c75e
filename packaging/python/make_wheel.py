"""Write a wheel (PEP 427) from files: the same bytes from the same files, whenever and wherever.

make_wheel.py --version V --platform TAG --readme FILE --out FOLDER PLACE=FILE...

PLACE is a path in the wheel. {data}/scripts in it is the folder whose files pip puts on PATH, {info}
that of what is said of the package.
"""
import argparse
import base64
import hashlib
import os
import time
import zipfile

METADATA = """Metadata-Version: 2.1
Name: rtrack
Version: {version}
Summary: Records what a job and its machine use, and reports it: three programs, and a module that runs two of them
License: MIT
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: System :: Monitoring
Requires-Python: >=3.9
Description-Content-Type: text/markdown

"""
WHEEL = """Wheel-Version: 1.0
Generator: rtrack {version}
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def record(place, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{place},sha256={digest},{len(content)}\n"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in "version", "platform", "readme", "out":
        options.add_argument("--" + name, required=True)
    options.add_argument("files", nargs="+", metavar="PLACE=FILE")
    o = options.parse_args()
    name = f"rtrack-{o.version}"
    info = name + ".dist-info"
    contents = {}
    for item in o.files:
        place, file = item.split("=", 1)
        with open(file, "rb") as stream:
            contents[place.format(data=name + ".data", info=info)] = stream.read()
    with open(o.readme, encoding="utf-8") as stream:
        metadata = METADATA.format(version=o.version) + stream.read()
    # What is said of the package comes last, its RECORD at the very end, as PEP 427 recommends.
    contents = dict(sorted(contents.items(), key=lambda item: (item[0].startswith(info), item[0])))
    contents[info + "/METADATA"] = metadata.encode()
    contents[info + "/WHEEL"] = WHEEL.format(version=o.version, platform=o.platform).encode()
    lines = [record(place, content) for place, content in contents.items()]
    contents[info + "/RECORD"] = "".join([*lines, info + "/RECORD,,\n"]).encode()
    # A zip file knows no time before 1980.
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH") or 0), 315532800))[:6]
    wheel = os.path.join(o.out, f"{name}-py3-none-{o.platform}.whl")
    with zipfile.ZipFile(wheel + ".new", "w") as out:
        for place, content in contents.items():
            entry = zipfile.ZipInfo(place, when)
            entry.create_system = 3  # Unix: the modes count
            entry.external_attr = (0o100755 if "/scripts/" in place else 0o100644) << 16
            out.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    os.replace(wheel + ".new", wheel)
    print(wheel)


main()
