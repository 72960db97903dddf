#!/bin/sh
# Makes the prebuilt files from map.c, the same bytes every time: build.sh [folder]
# Needs clang and lld (made with version 14); no SDK, no headers, no network.
set -eu
here=$(dirname "$0")
out=${1:-$here}
make_one() {
  clang --target="$1" -O2 -fPIC -shared -ffreestanding -nostdlib -fuse-ld=lld -fno-ident -fno-stack-protector \
    -fvisibility=default -fno-asynchronous-unwind-tables -Wall -Wno-unused-parameter \
    -Wl,--build-id=none -Wl,--strip-all -Wl,--hash-style=gnu -Wl,-z,noseparate-code -Wl,-soname,map.node \
    -o "$out/$2.node" "$here/map.c"
}
make_one x86_64-linux-gnu linux-x64
make_one aarch64-linux-gnu linux-arm64
