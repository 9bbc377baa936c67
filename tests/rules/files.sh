#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files: a licence line, a warning past 600 lines, at most 110 columns in what people write, no core named in common code.
. "$(dirname "$0")/lib.sh"
cd "$SRC"

mapfile -t sources < <(tools/sources)
[ ${#sources[@]} -gt 20 ] || fail "tools/sources lists ${#sources[@]} files"

for file in "${sources[@]}"; do
	lines=$(sed '/begin generated/,/end generated/d' "$file" | wc -l)
	[ "$lines" -le 600 ] || echo "warning: $file has $lines lines: is it one concern?"
	long=$(sed -e '/begin generated/,/end generated/s/.*//' -e '/clang-format off/,/clang-format on/s/.*//' "$file" | expand -t 8 | grep -nE '^.{111,}' | grep -vE '^[0-9]+: *(\(|[a-z_]+\()*"[^"]*(\\"[^"]*)*"[,);]*$' | cut -d: -f1 | paste -sd " " || true)
	[ -z "$long" ] || fail "$file: more than 110 columns in line $long"
	! grep -nE '[ 	]+$' "$file" /dev/null || fail "$file: space at the end of a line"
done

while IFS= read -r file; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' || fail "$file: no SPDX line"
done < <(
	printf '%s\n' "${sources[@]}"
	find src cmake tools tests bench examples site .ci -type f \( -name '*.c' -o -name '*.sh' -o -name '*.py' -o \
		-name '*.cmake' -o -name 'CMakeLists.txt' -o -name '*.S' -o -name '*.ld' \) ! -path '*/__pycache__/*'
	grep -rlE '^#!' tools .ci --exclude-dir=__pycache__
)

# A row, not a branch: the layers below the command know no core by name. Names and aliases are the rows' own. Some aliases are names of
# general registers too ("r5"), which code may hold; of these a comparison is refused.
names=$(sed -nE 's/^(core|alias) +//p' spec/cores/*.core | sed 's/".*//' | tr ' ' '\n' | sed '/^$/d' | sort -u)
[ -n "$names" ] || fail "no core names found in spec/cores"
while IFS= read -r name; do
	quoted="\"$name\""
	[[ ! $name =~ ^[rwx][0-9]+$ ]] || quoted="(cmp|casecmp|find)\([^;]*$quoted"
	! grep -rnE --include='*.[ch]' --exclude-dir=gen "$quoted" src/base src/spec src/model src/uarch src/isa src/qemu src/board src/linux-user src/machine ||
		fail "a core is named in code: $name"
done <<<"$names"
! grep -rnE --include='*.[ch]' --exclude-dir=gen '(==|!=) *&?apmu_core_[a-z]*[0-9]' src || fail "a core is compared"

# One command: one folder of sources, one of tests, one manual page.
while IFS= read -r command; do
	ls tests/cli/"$command"/*.sh >/dev/null 2>&1 || fail "src/cli/$command has no tests in tests/cli/$command"
	[ "$command" = common ] || "$BUILD/apmu" help "$command" >/dev/null || fail "src/cli/$command: the command and its manual know no '$command'"
done < <(find src/cli -mindepth 1 -maxdepth 1 -type d -printf '%f\n')
while IFS= read -r tests; do
	[ -d src/cli/"$tests" ] || fail "tests/cli/$tests is about no command: src/cli/$tests"
done < <(find tests/cli -mindepth 1 -maxdepth 1 -type d ! -name __pycache__ -printf '%f\n')

verdict
echo "${#sources[@]} files"
