"""Follow a recipe as Spack does, with this machine's compiler: spack.py RECIPE PREFIX, in the sources.

Prints the fields that tests/packages/recipes.sh compares, a line each: NAME VALUE. What package.py imports of Spack is here.
"""
import os
import subprocess
import sys
import tempfile
import types

fields = {"needs": []}


class Prefix(str):
    """A path whose members are paths in it."""
    def __getattr__(self, name):
        return Prefix(os.path.join(self, name))

    def join(self, name):
        return Prefix(os.path.join(self, name))


class Executable:
    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments, output=None):
        done = subprocess.run([self.path, *arguments], check=True, text=True, stdout=subprocess.PIPE)
        sys.stderr.write(done.stdout)
        return done.stdout if output is str else None


class MakefilePackage:
    """The build system: `make`, then `make install`, with the targets of the recipe."""
    build_targets = []
    install_targets = ["install"]

    def install(self):
        for targets in self.build_targets, self.install_targets:
            subprocess.run(["make", "-j2", *targets], check=True, stdout=sys.stderr)


def note(name, key=None):
    return lambda *positional, **named: fields.__setitem__(name, named[key] if key else positional[0])


def version(number, sha256):
    fields["version"], fields["sha256"] = number, sha256


system = types.ModuleType("spack_repo.builtin.build_systems.makefile")
system.MakefilePackage = MakefilePackage
package = types.ModuleType("spack.package")
package.__dict__.update(
    Executable=Executable, license=note("licence"), version=version,
    depends_on=lambda spec, type=None: fields["needs"].append(spec),
    requires=lambda spec, msg: fields.__setitem__("linux", spec == "platform=linux"))
for module in package, system:
    parts = module.__name__.split(".")
    for i in range(1, len(parts)):
        sys.modules.setdefault(".".join(parts[:i]), types.ModuleType(".".join(parts[:i])))
    sys.modules[module.__name__] = module

recipe = types.ModuleType("recipe")
with open(sys.argv[1], encoding="utf-8") as stream:
    exec(compile(stream.read(), sys.argv[1], "exec"), recipe.__dict__)
rtrack = recipe.Rtrack()
rtrack.prefix, rtrack.version = Prefix(sys.argv[2]), fields["version"]
fields.update(url=rtrack.url, homepage=rtrack.homepage, needs=" ".join(sorted(fields["needs"])))
rtrack.install()
tests = [name for name in dir(rtrack) if name.startswith("test_")]
with tempfile.TemporaryDirectory() as where:
    os.chdir(where)
    for name in tests:
        assert getattr(rtrack, name).__doc__, name
        getattr(rtrack, name)()
    fields["tested"] = os.path.getsize("job.html") > 0
for name, value in fields.items():
    print(name, value)
