#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The manual pages have the text of --help, for each command; completion in bash and zsh offers the existing options and values.
. "$(dirname "$0")/../lib.sh"

commands=$("$APMU" --help | awk '/^  [a-z0-9-]+ +[a-z]/ && $1 != "apmu" { print $1 }')
[ "$(wc -w <<<"$commands")" -ge 10 ] || fail "commands: $commands"
"$SRC/tools/manpages" "$APMU" man
for name in apmu $(for c in $commands; do echo "apmu-$c"; done); do
	[ -s "man/$name.1" ] || { fail "no page $name"; continue; }
	said=$(groff -man -Tascii -ww -z "man/$name.1" 2>&1)
	[ -z "$said" ] || fail "$name: $said"
	groff -man -Tascii -P-c "man/$name.1" 2>/dev/null | col -b | tr -s ' \n' ' ' | sed 's/- //g' >text
	grep -q "SYNOPSIS.*SEE ALSO" text || fail "$name: sections: $(cat text)"
	cp "$BUILD/man/$name.1" built 2>/dev/null && cmp -s built "man/$name.1" || fail "$name: the build made another"
done
# Every option of every command stands in its page.
for c in $commands; do
	groff -man -Tascii -P-c "man/apmu-$c.1" 2>/dev/null | col -b >text
	for option in $("$APMU" "$c" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do
		grep -qE -- "^ +(-[a-zA-Z], )?$option\b" text || fail "apmu-$c.1 lacks $option"
	done
	# As many as there are: a line of text that begins with an option is none.
	[ "$(grep -c '^\.TP' "man/apmu-$c.1")" = "$("$APMU" "$c" --help | grep -cE '^(  -[a-zA-Z]|      --)')" ] || fail "apmu-$c.1 has other options"
done

# bash: the words that TAB would offer after a line.
offers()
{
	PATH="$(dirname "$APMU"):$PATH" bash --norc -c '
		. "$1"; shift
		compopt() { :; }
		COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _apmu; printf "%s\n" "${COMPREPLY[@]}"' _ "$SRC/completion/apmu.bash" "$@"
}
offered() { local want=$1; shift; offers "$@" >list; grep -qxF -- "$want" list || fail "bash: '$*' does not offer $want: $(head -n 5 list)"; }
offered stat apmu st
offered annotate apmu ""
offered --plot apmu stat --pl
offered --fail-above apmu diff --f
offered cortex-a53 apmu stat -c cortex-a5
offered arm1136jf-s,xscale2 apmu stat -c arm1136jf-s,xsc
offered BR_MIS_PRED apmu record --core cortex-a53 -e BR_MIS
offered DCACHE_MISS apmu stat -c arm1136jf-s -e DCACHE_M
offered callgrind apmu export call
offered events apmu list ev
offered help apmu he
offered record apmu help rec
offered record apmu c2c rec
offered --transfers apmu c2c record --tr
offered --line-size apmu c2c report --line
offered BR_MIS_PRED apmu c2c record -c 100 -e BR_MIS
offered --core apmu list --co
: >program-here
offered program-here apmu stat -- program
[ -z "$(offers apmu stat --zz)" ] || fail "bash offers what is not there"

# zsh: the same, with its own completion functions replaced by ones that print what they are given.
cat >drive.zsh <<'END'
_describe() { local name=${argv[-1]}; print -rl -- ${(P)name}; }
_values() { [[ $1 == -s ]] && shift 2; shift; print -rl -- "$@"; }
_files() { print -r -- FILES; }
script=$1; shift
words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]
source $script
END
zsh_offered()
{
	local want=$1
	shift
	PATH="$(dirname "$APMU"):$PATH" zsh -f drive.zsh "$SRC/completion/_apmu" "$@" >list 2>&1
	grep -qE -- "^$want" list || fail "zsh: '$*' does not offer $want: $(head -n 5 list)"
}
zsh_offered 'stat:run an Arm program' apmu st
zsh_offered 'top-down:say where' apmu ""
zsh_offered '--plot' apmu stat --pl
zsh_offered '--fail-above:exit with 3' apmu diff --f
zsh_offered 'cortex-a53$' apmu stat -c cor
zsh_offered 'BR_MIS_PRED$' apmu stat -c cortex-a53 -e BR
zsh_offered 'callgrind$' apmu export c
zsh_offered 'branch-mpki$' apmu stat -c cortex-a53 -M br
zsh_offered 'branch$' apmu stat -c cortex-a53 -M br
zsh_offered 'help:' apmu he
zsh_offered 'record:sample an Arm program' apmu help rec
zsh_offered 'report$' apmu c2c rep
zsh_offered '--transfers' apmu c2c record --tr
zsh_offered '--line-size' apmu c2c report --line
zsh_offered 'BR_MIS_PRED$' apmu c2c record -c 100 -e BR
zsh_offered '--core' apmu list --co
zsh_offered FILES apmu stat -- prog

verdict
