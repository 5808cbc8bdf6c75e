"""Follow a recipe as rattler-build does, with this machine's compiler: conda.py RECIPE PREFIX, in the sources.

Prints the fields that tests/packages/recipes.sh compares, a line each: NAME VALUE.
"""
import os
import re
import subprocess
import sys
import tempfile

import yaml


def fill(value, context):
    """Replace ${{ name }} by its value, and ${{ name('x') }} by name('x')."""
    if isinstance(value, str):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda m: context.get(m[1], m[1]), value)
    if isinstance(value, list):
        return [fill(v, context) for v in value]
    if isinstance(value, dict):
        return {k: fill(v, context) for k, v in value.items()}
    return value


def run(commands, where):
    environment = dict(os.environ, PREFIX=prefix, CPU_COUNT="2", PATH=f"{prefix}/bin:{os.environ['PATH']}")
    subprocess.run(["bash", "-e", "-c", "\n".join(commands)], cwd=where, env=environment, check=True, stdout=sys.stderr)


with open(sys.argv[1], encoding="utf-8") as stream:
    recipe = yaml.safe_load(stream)
prefix = sys.argv[2]
assert recipe["schema_version"] == 1
recipe = fill(recipe, recipe["context"])
needs = recipe["requirements"]
for licence in recipe["about"]["license_file"]:
    assert os.path.getsize(licence) > 0, licence
print("version", recipe["package"]["version"])
print("url", recipe["source"]["url"])
print("sha256", recipe["source"]["sha256"])
print("homepage", recipe["about"]["homepage"])
print("licence", recipe["about"]["license"])
print("linux", recipe["build"]["skip"] == "not linux")
print("needs", *sorted(needs["build"] + needs["host"]))

run(recipe["build"]["script"], ".")
for test in recipe["tests"]:
    for program in test.get("package_contents", {}).get("bin", []):
        assert os.access(f"{prefix}/bin/{program}", os.X_OK), program
    for file in test.get("package_contents", {}).get("files", []):
        assert os.path.exists(f"{prefix}/{file}"), file
    if "script" in test:
        with tempfile.TemporaryDirectory() as where:
            run(test["script"], where)
            print("tested", os.path.getsize(where + "/job.html") > 0)
