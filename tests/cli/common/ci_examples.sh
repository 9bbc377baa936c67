#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The examples of docs/ci.md are valid YAML, and their steps (except installations) do what the page says, in a repository of two
# commits: a change that costs instructions ends with status 3, one that does not with 0.
. "$(dirname "$0")/../lib.sh"
PATH=$(dirname "$APMU"):$PATH

cat >steps.py <<'PYTHON'
import re, sys, yaml
blocks = [yaml.safe_load(b) for b in re.findall(r"^```yaml\n(.*?)^```", open(sys.argv[1]).read(), re.S | re.M)]
assert len(blocks) == 3, f"{len(blocks)} YAML blocks"
steps = [s["run"] for s in blocks[0]["jobs"]["count"]["steps"] if "name" in s]
assert len(steps) == 2, steps
for name, sha in (("github.event.pull_request.base.sha", "$BASE"), ("github.sha", "$CHANGE")):
    assert name in steps[0], name
    steps[0] = steps[0].replace("${{ %s }}" % name, sha)
open("github.sh", "w").write("set -eo pipefail\n" + "\n".join(steps) + "\n")
open("gitlab.sh", "w").write("set -e\n" + "\n".join(blocks[2]["performance"]["script"]) + "\n")
steps = [s["run"] for s in blocks[1]["jobs"]["bench"]["steps"] if "name" in s]
assert len(steps) == 2, steps
rows = "\n".join(steps)
for name, sha in (("github.event.pull_request.base.sha", "$BASE"), ("github.sha", "$CHANGE")):
    assert name in rows, name
    rows = rows.replace("${{ %s }}" % name, sha)
open("rows.sh", "w").write("set -e\n" + rows + "\n")
PYTHON
/usr/bin/python3 steps.py "$SRC/docs/ci.md" || fail "docs/ci.md is not what this test knows"

mkdir repo && cd repo || exit 1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
printf 'prog: prog.c\n\t$(CC) -O1 -o prog prog.c $(LDFLAGS)\nclean:\n\trm -f prog\n' >Makefile
commit()
{
	printf 'volatile int s;\nint main(void) { for (int i = 0; i < %d; i++) s += i; return 0; }\n' "$1" >prog.c
	echo "$2" >bench.input
	git add . && git commit -qm "$2" && git rev-parse HEAD
}
git init -q && base=$(commit 20000 base) && slow=$(commit 30000 slow) && same=$(commit 20000 same) || fail "no repository"
git clone -q --bare . ../origin.git && git remote add origin ../origin.git

# try STATUS CHANGE [BASE]
try()
{
	local from=${3:-$base}
	BASE=$from CHANGE=$2 GITHUB_STEP_SUMMARY=$work/summary bash ../github.sh >../said 2>&1
	[ $? -eq "$1" ] || fail "GitHub's steps, not $1: $(tail -n 5 ../said)"
	BASE=$from CHANGE=$2 GITHUB_STEP_SUMMARY=$work/summary sh ../rows.sh >../said 2>&1
	[ $? -eq "$1" ] || fail "GitHub's steps of benchmarks, not $1: $(tail -n 5 ../said)"
	CI_MERGE_REQUEST_DIFF_BASE_SHA=$from CI_COMMIT_SHA=$2 bash ../gitlab.sh >../said 2>&1
	[ $? -eq "$1" ] || fail "GitLab's steps, not $1: $(tail -n 5 ../said)"
	rm -f base.json change.json
}
try 3 "$slow"
grep -q '^| .instructions (neoverse-n1). | [0-9,]* | [0-9,]* | ..+[0-9.]*%.. |' "$work/summary" || fail "no table for the pull request: $(cat "$work/summary")"
try 0 "$same"
try 128 "$slow" 0000000000000000000000000000000000000001 # a base that does not exist must not pass
verdict
