# SPDX-License-Identifier: MIT
# bash completion for apmu: options come from the command's own --help, names from `apmu list`.

_apmu_lines() { "${COMP_WORDS[0]}" "$@" 2>/dev/null; }

# The commands, or with one given its options.
_apmu_commands() { _apmu_lines --help | awk '/^  [a-z0-9-]+ +[a-z]/ && $1 != "apmu" { print $1 }'; }
_apmu_options()
{
	_apmu_lines "$1" --help | grep -oE '^ +(-[a-zA-Z], )?(--[a-z0-9-]+)?' | grep -oE -- '-[a-zA-Z]\b|--[a-z0-9-]+'
}

_apmu_cores() { _apmu_lines list cores | awk '$3 == "+" { print $1 }'; } # not titles and heads of tables

# The core that the line names, or the one that is taken for AArch64 programs.
_apmu_core()
{
	local i
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--core) echo "${COMP_WORDS[i + 1]%%,*}"; return ;;
		-c) [ "$command" = record ] || { echo "${COMP_WORDS[i + 1]%%,*}"; return; } ;;
		esac
	done
	_apmu_lines list cores | awk '/default for AArch64/ { print $1; exit }'
}
_apmu_events() { _apmu_lines list events --core "$(_apmu_core)" | awk 'NR > 1 { print $2 }'; }
_apmu_metrics() { _apmu_lines list metrics --core "$(_apmu_core)" | awk '/^[a-z-]+:/ { sub(/:.*/, ""); print } /^  [a-z]/ { print $1 }'; }
_apmu_formats() { _apmu_lines export --help | awk '/^  [a-z]+ / && $1 != "apmu" { print $1 }'; }

# _apmu_list WORDS: completes the last of a list between commas.
_apmu_list()
{
	local before=
	[[ $cur != *,* ]] || before=${cur%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
	compopt -o nospace 2>/dev/null
}

_apmu()
{
	local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} i
	((COMP_CWORD < 3)) || [ "$command ${COMP_WORDS[2]}" != "c2c record" ] || command=record # whose options it takes
	COMPREPLY=()
	[ "$cur" != = ] || { cur= before=$before=; } # --core=NAME is three words
	[ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
	before=${before%=}
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$(_apmu_commands) help --help --version" -- "$cur")
		return
	fi
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = -- ]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
	done
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_apmu_options "$command")" -- "$cur")
		return
	fi
	case $command:$before in
	*:--core | stat:-c | bench:-c | top-down:-c | run:-c | list:-c | decode:-c | compare:-c) _apmu_list "$(_apmu_cores)" ;;
	*:-e | *:--event) _apmu_list "$(_apmu_events)" ;;
	*:-M | *:--metrics) _apmu_list "$(_apmu_metrics)" ;;
	report:-s | report:--sort | top-down:--by) _apmu_list "function object file line address thread level" ;;
	help:help) mapfile -t COMPREPLY < <(compgen -W "$(_apmu_commands)" -- "$cur") ;;
	c2c:c2c) mapfile -t COMPREPLY < <(compgen -f -W "record report" -- "$cur") ;;
	list:list) mapfile -t COMPREPLY < <(compgen -W "cores events registers metrics" -- "$cur") ;;
	export:export) mapfile -t COMPREPLY < <(compgen -W "$(_apmu_formats)" -- "$cur") ;;
	*) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}
complete -o filenames -F _apmu apmu
