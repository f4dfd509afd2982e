#!/bin/sh
# Installs the command `sandbox-agent`, one executable that needs nothing else:
#
#   curl -fsSL https://github.com/sandbox-agent-ts/sandbox-agent/releases/latest/download/install.sh | sh
#
# SANDBOX_AGENT_INSTALL_DIR   where to, default ~/.local/bin
# SANDBOX_AGENT_BASE_URL      where from: a folder with the executables and their SHA256SUMS, default the latest release
set -eu

fail() {
  echo "sandbox-agent was not installed: $1" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

download() { # url file
  if has curl; then
    curl --fail --silent --show-error --location --connect-timeout 30 --output "$2" "$1"
  elif has wget; then
    wget -q -T 30 -O "$2" "$1"
  else
    fail "neither curl nor wget is there to download it. Install one of them."
  fi || fail "the download of $1 failed. Check the network and run this again."
}

sha256() { # file
  if has sha256sum; then
    sha256sum <"$1"
  elif has shasum; then
    shasum -a 256 <"$1"
  elif has openssl; then
    openssl dgst -sha256 -r <"$1"
  else
    fail "its checksum cannot be verified. Install sha256sum, shasum or openssl."
  fi
}

# As the executables are named. One that is not known is looked for as it is, and not found.
platform() {
  os=$(uname -s)
  arch=$(uname -m)
  case "$os" in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN*) os=win32 ;;
  esac
  case "$arch" in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
  esac
  # A shell that is translated says that the processor is one of Intel's.
  if [ "$os-$arch" = darwin-x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi
  echo "$os-$arch"
}

# The checksum of this file; fails with what there is otherwise.
expected_checksum() { # file sums
  there=
  while read -r sum name; do
    name=${name#\*}
    if [ "$name" = "$1" ]; then
      echo "$sum"
      return
    fi
    there="$there ${name#sandbox-agent-}"
  done <"$2"
  fail "there is no $1 at $base. There is one for:$there."
}

# All in a function, so that half of this file does nothing.
main() {
  base=${SANDBOX_AGENT_BASE_URL:-https://github.com/sandbox-agent-ts/sandbox-agent/releases/latest/download}
  base=${base%/}
  directory=${SANDBOX_AGENT_INSTALL_DIR:-${HOME:+$HOME/.local/bin}}
  [ -n "$directory" ] || fail "HOME is not set. Set SANDBOX_AGENT_INSTALL_DIR to the directory it should go to."
  platform=$(platform)
  suffix=
  case "$platform" in win32-*) suffix=.exe ;; esac
  file=sandbox-agent-$platform$suffix

  mkdir -p "$directory" || fail "$directory cannot be made. Set SANDBOX_AGENT_INSTALL_DIR to another directory."
  # In the same directory, so that the last step is a rename: what is there is the old one or the new one, whole.
  temporary=$(mktemp -d "$directory/.sandbox-agent.XXXXXX") ||
    fail "nothing can be written to $directory. Set SANDBOX_AGENT_INSTALL_DIR to another directory."
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP

  download "$base/SHA256SUMS" "$temporary/SHA256SUMS"
  expected=$(expected_checksum "$file" "$temporary/SHA256SUMS")
  echo "Downloading $base/$file" >&2
  download "$base/$file" "$temporary/sandbox-agent$suffix"
  found=$(sha256 "$temporary/sandbox-agent$suffix")
  found=${found%% *}
  [ "$found" = "$expected" ] ||
    fail "$base/$file has the checksum $found, and SHA256SUMS says $expected. Run this again, and do not use the file if that does not help."
  chmod 755 "$temporary/sandbox-agent$suffix"
  version=$("$temporary/sandbox-agent$suffix" --version) ||
    fail "$file does not run on this machine (on Linux it needs glibc 2.28 or newer). Use Node and the package @sandbox-agent-ts/cli."
  mv -f "$temporary/sandbox-agent$suffix" "$directory/sandbox-agent$suffix"

  echo "sandbox-agent $version is installed: $directory/sandbox-agent$suffix"
  case ":${PATH:-}:" in
    *":$directory:"*) ;;
    *) echo "$directory is not on your PATH. Add it, e.g. in ~/.profile: export PATH=\"$directory:\$PATH\"" ;;
  esac
}

main "$@"
