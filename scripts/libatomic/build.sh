#!/bin/sh
# Compiles libatomic.c for both kinds of Linux: with gcc, and gcc-aarch64-linux-gnu of Debian. Only who changes it needs this.
set -eu
cd "$(dirname "$0")"
versions=$(mktemp)
trap 'rm -f "$versions"' EXIT
printf 'LIBATOMIC_1.0 { global: __atomic_compare_exchange; local: *; };\n' > "$versions"
compile() {
  mkdir -p "$2"
  "$1" -Os -fPIC -shared -nostdlib -s $3 -Wall -Wextra -fno-asynchronous-unwind-tables \
    -Wl,-soname,libatomic.so.1 -Wl,--version-script="$versions" -Wl,--build-id=none -Wl,-z,norelro -Wl,-z,noseparate-code \
    -Wl,--hash-style=gnu -o "$2/libatomic.so.1" libatomic.c
}
compile x86_64-linux-gnu-gcc linux-x64 ''
compile aarch64-linux-gnu-gcc linux-arm64 -mno-outline-atomics
