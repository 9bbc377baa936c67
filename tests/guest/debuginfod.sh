#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names of a stripped program from elfutils' own debuginfod, and from a folder of an unpacked -dbgsym package.
. "$(dirname "$0")/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export HOME=$work DEBUGINFOD_CACHE_PATH=$work/cache

# A server that never answers. (libdebuginfod tries four times, which takes the 20 seconds that are too long for the command: waited for at the end.)
cat >deaf.py <<'END'
import socket
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
held = []
while True:
    held.append(listener.accept())
END
cat >libwork.c <<'END'
static volatile int sink;
static __attribute__((noinline)) void idles(int n) { for (int i = 0; i < n; i++) sink += i; }
void work(void) { idles(100000); }
END
echo 'void work(void); int main(void) { work(); for (volatile int i = 0; i < 100000; i++) ; return 0; }' >calls.c
aarch64-linux-gnu-gcc -g -O1 -shared -fPIC libwork.c -o libwork.so && aarch64-linux-gnu-gcc -g -O1 calls.c -L. -lwork -Wl,-rpath,"$work" -o calls &&
	aarch64-linux-gnu-strip libwork.so calls || fail "cannot build"
"$apmu" record -q --core cortex-a53 -e instructions -c 1000 -L /usr/aarch64-linux-gnu -o calls.data -- ./calls || fail "record"
python3 deaf.py >port &
servers=($!)
trap 'kill "${servers[@]}" 2>/dev/null; wait "${servers[@]}"; rm -rf "$work"' EXIT
until [ -s port ]; do sleep 0.1; done
(
	begin=$SECONDS
	DEBUGINFOD_TIMEOUT=5 DEBUGINFOD_RETRY_LIMIT=1 DEBUGINFOD_URLS=http://127.0.0.1:$(<port) DEBUGINFOD_CACHE_PATH=$work/deaf \
		"$apmu" report -i calls.data -s function >deaf.out 2>deaf.err || exit 1
	echo $((SECONDS - begin)) >took
) &
deaf=$!

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
servers+=("$server")
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

# The deaf server was asked for one file alone, which is said.
wait $deaf || fail "a server that is deaf: $(cat deaf.err)"
grep -q ': the servers of DEBUGINFOD_URLS had nothing in [0-9]* seconds; they were asked for no other file$' deaf.err || fail "a server that is deaf: $(cat deaf.err)"
[ "$(<took)" -lt 40 ] || fail "a server that is deaf: $(<took) seconds"
finish
