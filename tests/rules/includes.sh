#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Who may include whom (docs/architecture.md): arrows point down only, and the freestanding layers take nothing
# from the system but the headers that every C compiler brings.
. "$(dirname "$0")/lib.sh"
cd "$SRC"

# Folders under src that a layer may include headers of, and public headers that it may see.
declare -A folders=(
	[base]="base"
	[spec]="spec base"
	[model]="model spec base"
	[driver]="driver spec base"
	[uarch]="uarch base"
	[symbol]="symbol base"
	[profile]="profile symbol spec base"
	[isa]="isa base"
	[qemu]="qemu isa profile symbol uarch base"
	[board]="board base"
	[linux-user]="linux-user board base"
	[machine]="machine linux-user board isa base"
	[cli]="cli profile symbol qemu isa driver uarch model spec base"
)
declare -A headers=(
	[base]="types"
	[spec]="types signal place reg event metric core"
	[model]="types signal place reg event metric core model"
	[driver]="types signal place reg event metric core backend driver region"
	[uarch]="types signal uarch"
	[symbol]="types"
	[profile]="types signal event metric core"
	[isa]="types signal uarch"
	[qemu]="types signal place reg event metric core model uarch"
	[board]="types signal uarch core"
	[linux-user]="types signal"
	[machine]="types signal place reg event metric core model uarch machine"
	[cli]="types signal place reg event metric core model uarch machine backend driver region"
)
compiler_headers="stdbool stddef stdint limits"

# The headers that a layer shows to others; its other headers are its own. NAME_internal.h is for NAME*.c and NAME*.h alone.
declare -A shown=(
	[base]="bits error_line log2 memory names text"
	[spec]="locate tables"
	[uarch]="fast access_group time_samples"
	[symbol]="symbol pool"
	[profile]="profile export format index resolve summary write"
	[isa]="classify classify_tags divide elf_probe follow preload"
	[qemu]="run"
	[board]="board fdt folder image memory psci semihost walk"
	[linux-user]="linux"
)

has()
{
	case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac
}

# private FILE LAYER HEADER: may a file of this layer see a header under src, or is it somebody's own?
private()
{
	local file=$1 layer=$2 header=$3 owner name
	owner=${header#src/}
	owner=${owner%%/*}
	name=${header##*/}
	[ "$layer" = "$owner" ] || has "${shown[$owner]:-}" "${name%.h}" ||
		fail "$file: $header is ${owner}'s own; what it shows to others is in tests/rules/includes.sh"
	case $header in
	*_internal.h)
		case $file in "${header%_internal.h}"*) return ;; esac
		case $owner:$name in machine:machine_internal.h) return ;; esac # the whole folder's
		fail "$file: $header is for ${name%_internal.h}*.c alone"
		;;
	esac
}

# check FILE LINE: one include line of one file.
check()
{
	local file=$1 line=$2 layer what target
	layer=${file#src/}
	layer=${layer%%/*}
	what=${line#*[<\"]}
	what=${what%%[>\"]*}
	case $line in
	*'"'*)
		target=src/$what
		[ -e "$target" ] || case $what in */gen/* | *.inc) ;; *) fail "$file: \"$what\" is to be written from src/" ;; esac
		case $target in *..*) fail "$file: \"$what\" is to be written from src/" ;; esac
		case $target in
		src/*) has "${folders[$layer]}" "$(cut -d/ -f1 <<<"$what")" || fail "$file: $layer may not include $target" ;;
		*) fail "$file: \"$what\" is not under src" ;;
		esac
		private "$file" "$layer" "$target"
		case $file:$target in src/cli/common/*:src/cli/common/* | src/cli/common/*:src/cli/cli.h) ;;
		src/cli/common/*:src/cli/*) fail "$file: cli/common may not include a command's $target" ;;
		esac
		case $layer:$target in
		spec:src/base/error_line.h | model:src/base/error_line.h | driver:src/base/error_line.h | uarch:src/base/error_line.h)
			fail "$file: base/error_line.h is for hosted layers"
			;;
		esac
		case $target in
		src/qemu/qemu_abi.h)
			case $file in src/qemu/*) ;; *) fail "$file: QEMU's ABI belongs to src/qemu" ;; esac
			;;
		esac
		;;
	*"<apmu/"*)
		what=${what#apmu/}
		case $file:$what in src/driver/backend_model.c:model.h) return ;; esac # where driver and model meet
		has "${headers[$layer]}" "${what%.h}" || fail "$file: $layer may not see <apmu/$what>"
		;;
	*)
		case $layer:$file in
		driver:src/driver/backend_perf*) return ;; # the kernel's headers: hosted
		base:src/base/error_line.h) return ;;      # hosted layers alone include it
		base:* | spec:* | model:* | driver:*)
			has "$compiler_headers" "${what%.h}" || fail "$file: $layer is freestanding, no <$what>"
			;;
		esac
		case $what in
		unicorn/*)
			case $file in src/machine/*) ;; *) fail "$file: <$what> belongs to src/machine" ;; esac
			;;
		linux/* | qemu*) fail "$file: <$what> has no place in src/$layer" ;;
		esac
		;;
	esac
}

files=0
while IFS= read -r file; do
	files=$((files + 1))
	layer=$(cut -d/ -f2 <<<"$file")
	[ -n "${folders[$layer]:-}" ] || fail "$file: src/$layer is no layer; add it to tests/rules/includes.sh"
	while IFS= read -r line; do
		check "$file" "$line"
	done < <(grep -hE '^[ \t]*#[ \t]*include' "$file" || true)
done < <(find src -name '*.[ch]' -o -name '*.inc' | sort)
[ "$files" -gt 0 ] || fail "no files looked at"

# Headers include each other in no circle, in all layers.
scratch
grep -HoE '^[ \t]*#[ \t]*include ("[^"]*"|<apmu/[^>]*>)' -r src include --include='*.h' |
	sed -E 's/^(src|include)\/([^:]*):.*["<](.*)[">]$/\2 \3/' >"$work/pairs"
[ "$(wc -l <"$work/pairs")" -gt 100 ] || fail "only $(wc -l <"$work/pairs") includes of headers by headers found"
tsort <"$work/pairs" >/dev/null 2>"$work/loop" || fail "headers include each other in a circle: $(sed -n 's/^tsort: //p' "$work/loop" | tr '\n' ' ')"

# No circles between two modules (a source and its header) of a layer, with these exceptions:
#   a layer's shown header has the types of all its files; qemu/plugin.h is the plugin's; and a miss asks the other threads'
#   first levels, which write what they have to the lower levels.
circles=$(grep -HoE '^[ \t]*#[ \t]*include "[^"]*"' -r src --include='*.[ch]' |
	sed -E 's/^src\/([^:]*)\.[ch]:.*"(.*)\.[a-z]*"$/\1 \2/' |
	awk '$1 != $2 && $1 "_internal" != $2 { to[$1 " " $2] } END { for (p in to) { split(p, m, " "); if (m[1] < m[2] && (m[2] " " m[1]) in to) print m[1], m[2] } }' |
	sort | while read -r a b; do
		[ -e "src/$a.c" ] && [ -e "src/$b.c" ] || continue # a header without a source is no module
		case "$a $b" in "symbol/run symbol/symbol" | "symbol/symbol symbol/wire" | "profile/summary profile/summary_tree" | "qemu/plugin qemu/plugin_record" | "uarch/coherence uarch/lower_levels") continue ;; esac
		echo "$a and $b;"
	done)
[ -z "$circles" ] || fail "these include each other: $circles"

# Instructions stand in the register backends (and what they share) alone; cycles.h is for programs without the library.
while IFS= read -r match; do
	case $match in src/driver/backend_cp14.c:* | src/driver/backend_cp15.c:* | src/driver/a32.h:* | src/driver/a64.h:* | src/driver/backend_sysreg.c:*) ;;
	*) fail "inline assembly: $match" ;;
	esac
done < <(grep -nE '\b(__asm__|asm)\b' -r src/base src/spec src/model src/driver --include='*.[ch]' || true)

# Public headers: freestanding but for the ones of hosted parts, which need no more either.
while IFS= read -r match; do
	what=$(sed -E 's/.*<([^>]*)>.*/\1/' <<<"$match")
	case $what in apmu/*) continue ;; esac
	has "$compiler_headers" "${what%.h}" || fail "$match"
done < <(grep -nE '^[ \t]*#[ \t]*include[ \t]*<' include/apmu/*.h)
! grep -nE '^[ \t]*#[ \t]*include[ \t]*"' include/apmu/*.h || fail "a public header includes a private one"

verdict
echo "$files files"
