#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names of a stripped program from elfutils' own debuginfod, and from a folder of an unpacked -dbgsym package.
. "$(dirname "$0")/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export HOME=$work DEBUGINFOD_CACHE_PATH=$work/cache

cat >work.c <<'END'
static volatile int sink;
static __attribute__((noinline)) void burns(int n) { for (int i = 0; i < n; i++) sink += i; }
int main(void) { burns(200000); return 0; }
END
aarch64-linux-gnu-gcc -g -O1 -static work.c -o named && aarch64-linux-gnu-strip named -o bare || exit 1
id=$(readelf -n named | awk '/Build ID/ { print $3 }')
mkdir -p "package/usr/lib/debug/.build-id/${id:0:2}"
aarch64-linux-gnu-objcopy --only-keep-debug named "package/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
"$apmu" record -q --core cortex-a53 -e instructions -c 1000 -o bare.data -- ./bare || fail "record"

# burns OPTION...: succeeds if the function, with its line, is the first row of the report
burns() { "$apmu" report -i bare.data -s function,line "$@" 2>err | grep -q ' burns .*:2$'; }

! burns || fail "a name out of nowhere"
for folder in package package/usr/lib/debug "$work/package/usr/lib/debug"; do
	burns --debug-dir "$folder" || fail "--debug-dir $folder: $("$apmu" report -i bare.data --debug-dir "$folder" -s function,line 2>&1 | head -n 9)"
done

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
debuginfod -v -p "$port" -d "$work/index.sqlite" -F "$work/package" >served 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server; rm -rf "$work"' EXIT
for ((i = 0; i < 150; i++)); do
	grep -q 'ms)$\|found_debuginfo_total.* [1-9]' served 2>/dev/null && break
	python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/buildid/$id/debuginfo')" 2>/dev/null && break
	sleep 0.2
done
export DEBUGINFOD_URLS=http://127.0.0.1:$port
burns || fail "DEBUGINFOD_URLS=$DEBUGINFOD_URLS: $("$apmu" report -i bare.data -s function,line 2>&1 | head -n 9); $(tail -n 3 served)"
[ -s "cache/$id/debuginfo" ] || fail "nothing was fetched: $(find cache)"
kill $server
wait $server 2>/dev/null
burns || fail "what was fetched is not kept"

# Without the server only the names are missing.
DEBUGINFOD_CACHE_PATH=$work/empty burns && fail "a name from no server"
"$apmu" report -i bare.data -s function >out 2>err || fail "a server that is gone: $(cat err)"
finish
