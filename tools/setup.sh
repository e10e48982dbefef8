# Set-up shared by the scripts in tools/, to be sourced: installs missing Debian packages and builds
# presets. Sourcing it changes to the root of the source tree, so every path below is relative to
# that.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$*"; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# as_root COMMAND...: runs it as root, through sudo if need be.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "this needs root, and sudo is not installed; run as root: $*"
  fi
}

# missing_packages PURPOSE...: names the packages for these purposes that are not installed.
missing_packages() {
  local name purpose
  while read -r name purpose; do
    [[ -n $name && $name != '#'* && " $* " == *" $purpose "* ]] || continue
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || echo "$name"
  done <tools/packages.txt
}

# install_packages PURPOSE...: installs what is missing for these purposes, and only that.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "packages can only be installed on Debian (no apt-get here). Install the counterparts of
       the packages in tools/packages.txt, then run: cmake --preset release &&
       cmake --build --preset release"
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  say "Installing ${missing[*]}"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# build_preset PRESET [TARGET...]: configures build/PRESET and builds the targets, or all.
build_preset() {
  local preset=$1
  shift
  say "Building $preset${*:+: $*}"
  cmake --preset "$preset" >"$(log_of "$preset" configure)" 2>&1 || {
    cat "$(log_of "$preset" configure)" >&2
    return 1
  }
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}

# log_of PRESET STEP: where the output of a step goes; makes the folder.
log_of() {
  mkdir -p "build/$1"
  echo "build/$1/$2.log"
}
