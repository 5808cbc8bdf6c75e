# What package.nix takes of nixpkgs, made of this machine's shell, compiler and libraries. Its result has the fields that
# tests/packages/recipes.sh compares, and `built`, a derivation that does what nixpkgs' does: unpack, make, make install, check.
{ recipe, tarball, flags }:
let
  libraries = builtins.listToAttrs (map (name: { inherit name; value = { pname = name; }; })
    (builtins.filter (name: !(builtins.elem name [ "lib" "stdenv" "fetchurl" ])) (builtins.attrNames arguments)));
  arguments = builtins.functionArgs (import recipe);
  self = import recipe (libraries // {
    lib.licenses.mit = "MIT";
    lib.platforms.linux = [ "linux" ];
    # The address is compared; what is fetched is the tarball, whose sum must be right.
    fetchurl = { url, hash }: { inherit url hash; file = builtins.fetchurl { url = "file://" + tarball; sha256 = hash; }; };
    stdenv.mkDerivation = function: let final = function final; in final;
  });
in {
  fields = {
    inherit (self) version;
    inherit (self.src) url hash;
    inherit (self.meta) homepage;
    licence = self.meta.license;
    linux = self.meta.platforms == [ "linux" ];
    needs = map (library: library.pname) self.buildInputs;
  };
  built = derivation {
    name = "${self.pname}-${self.version}";
    system = builtins.currentSystem;
    builder = "/bin/bash";
    PATH = "/usr/bin:/bin";
    CFLAGS = flags;
    src = self.src.file;
    inherit (self) makeFlags installCheckPhase doInstallCheck;
    args = [ "-e" "-c" ''
      runHook() { :; }
      tar -xzf $src && cd rtrack-*
      make -j2 $makeFlags
      make install $makeFlags
      [ "$doInstallCheck" = 1 ] && eval "$installCheckPhase"
      cp job.html $out/tested
      exit 0 # Nix kills the builder when its last program has closed its output, finished or not
    '' ];
  };
}
