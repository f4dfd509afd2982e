#!/bin/sh
# Puts the daemon and the programs of agents into an image: install.sh [claude] [codex@0.130.0] …
# The daemon is in sandbox-agent/ beside this file, or where BUNDLE_DIR says, unless it is in its place already. What is in
# .agent-cache/ beside this file is not fetched; SANDBOX_AGENT_NPM_REGISTRY says from where the rest is. DESTDIR is put before
# all places. Made by `npm run gen`; do not edit.
set -eu
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
from=${BUNDLE_DIR:-$here/sandbox-agent}
root=${DESTDIR:-}
bundle=$root/opt/sandbox-agent
programs=$root/opt/sandbox-agent-programs

umask 022
mkdir -p "$bundle" "$programs" "$root/usr/local/bin"
if [ -e "$from" ]; then
  for name in sandbox-agent.cjs parts ui THIRD-PARTY-NOTICES.txt; do
    if [ -e "$from/$name" ]; then cp -R "$from/$name" "$bundle/"; fi
  done
fi
if [ ! -e "$bundle/sandbox-agent.cjs" ]; then
  echo "There is no sandbox-agent.cjs in $from. Write all that is needed with: sandbox-agent image template --out DIRECTORY" >&2
  exit 1
fi
printf '#!/bin/sh\nexec node /opt/sandbox-agent/sandbox-agent.cjs "$@"\n' > "$root/usr/local/bin/sandbox-agent"
chmod 755 "$root/usr/local/bin/sandbox-agent"

# Programs, to be had by everybody and changed by nobody.
if [ $# -gt 0 ]; then
  work=$root/opt/sandbox-agent-install
  mkdir -p "$work/home"
  ln -s "$programs" "$work/programs"
  HOME=$work/home SANDBOX_AGENT_CACHE_DIR=${SANDBOX_AGENT_CACHE_DIR:-$here/.agent-cache} \
    node "$bundle/sandbox-agent.cjs" install-agent --data-dir "$work" "$@"
  rm -rf "$work"
fi
chmod -R a+rX "$bundle" "$programs"
