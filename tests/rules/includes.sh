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

has()
{
	case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac
}

# check FILE LINE: one include line of one file.
check()
{
	local file=$1 line=$2 layer what target
	layer=$(cut -d/ -f2 <<<"$file")
	what=$(sed -E 's/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]*)[>"].*/\1/' <<<"$line")
	case $line in
	*'"'*)
		target=src/$what
		[ -e "$target" ] || case $what in */gen/* | *.inc) ;; *) fail "$file: \"$what\" is to be written from src/" ;; esac
		target=$(realpath -m --relative-to=. "$target")
		case $target in
		src/*) has "${folders[$layer]}" "$(cut -d/ -f2 <<<"$target")" || fail "$file: $layer may not include $target" ;;
		*) fail "$file: \"$what\" is not under src" ;;
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

# No circles between the modules (a source and its header) of a layer.
circles=$(grep -HoE '^#[ \t]*include "[^"]*"' -r src/cli src/board src/linux-user --include='*.[ch]' |
	sed -E 's/^src\/([^:]*)\.[ch]:.*"(.*)\.[a-z]*"$/\1 \2/' |
	awk '$1 != $2 && $1 "_internal" != $2 { to[$1 " " $2] } END { for (p in to) { split(p, m, " "); if (m[1] < m[2] && (m[2] " " m[1]) in to) print m[1] " and " m[2] } }')
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
