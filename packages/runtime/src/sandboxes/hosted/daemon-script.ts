import { exports, quoted } from "../shell-text.ts";
import { daemonPort, type HostedLayout } from "./hosted-layout.ts";
import { findNode } from "./machine-look.ts";

/**
 * `supervise FILE` becomes a daemon that is started by that file, unless another one runs; the file is gone when it is decided.
 * Each daemon has a number: `daemon.3` names the process that looks after the third, `exit.3` says how it ended.
 * `state`, `log BYTES` and `taken FILE` are asked by who looks. A process is known by its start time, too: its number alone may
 * be another's after the machine was stopped.
 */
export const daemonScript = `umask 077
cd "\${0%/*}" || exit 1

since() {
  read -r line 2>/dev/null <"/proc/$1/stat" || return 0
  set -- \${line##*) }
  case $1 in Z | X) return 0 ;; esac
  shift 19
  echo "$1"
}

last() {
  number=0
  for file in daemon.*; do
    [ "\${file#daemon.}" -gt "$number" ] 2>/dev/null && number=\${file#daemon.}
  done
  echo "$number"
}

alive() {
  [ ! -e "exit.$1" ] || return 1
  for attempt in 1 2; do
    read -r pid began <"daemon.$1" && break
    sleep 1
  done
  [ -n "$began" ] && [ "$(since "$pid")" = "$began" ]
}

claim() {
  own="$$ $(since $$)"
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    number=$(last)
    [ "$number" = 0 ] || ! alive "$number" || return 1
    next=$((number + 1))
    (set -C; echo "$own" >"daemon.$next") 2>/dev/null || continue
    [ "$(last)" = "$next" ] && return 0
    rm -f "daemon.$next"
  done
  return 1
}

supervise() {
  trap "" HUP
  claim || { rm -f "$1"; exit 0; }
  for file in daemon.* exit.*; do
    [ "\${file##*.}" = "$next" ] || rm -f "$file"
  done
  {
    sh "$1" </dev/null 2>&1 >/dev/null
    echo "$?" >exit.new
    exec >&-
    sleep 0.2
    mv exit.new "exit.$next"
  } 2>/dev/null | {
    [ ! -s log ] || mv log log.1
    while dd of=log bs=4096 count=1024 && [ -s log ]; do mv log log.1; done
    cat >/dev/null
    mv exit.new "exit.$next"
  } 2>/dev/null
}

case $1 in
  supervise) supervise "$2" ;;
  state)
    number=$(last)
    if [ "$number" = 0 ]; then echo none
    elif alive "$number"; then echo running
    elif [ -e "exit.$number" ]; then echo "ended $(cat "exit.$number")"
    else echo vanished
    fi
    ;;
  log) cat log.1 log 2>/dev/null | tail -c "$2" ;;
  taken)
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
      for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -e "$2" ] || exit 0
        sleep 0.05
      done
    done
    exit 1
    ;;
esac
`;

export const daemonScriptFile = ({ run }: HostedLayout): string => `${run}/control.sh`;
/** What is set for everything in it. */
export const environmentFile = ({ run }: HostedLayout): string => `${run}/env`;

export interface DaemonStart {
  /** What follows the Node program. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly layout: HostedLayout;
  /** Where it is itself. */
  readonly file: string;
}

/** Removes itself, because it has secrets, and becomes the daemon. */
export function startScript({ command, env, layout, file }: DaemonStart): string {
  const { home, workspace } = layout.paths;
  const listening = [...command, "--host", "0.0.0.0", "--port", String(daemonPort)];
  return [
    `rm -f ${quoted(file)}`,
    `. ${quoted(environmentFile(layout))}`,
    ...exports(env),
    findNode(layout),
    `export HOME=${quoted(home)}`,
    `cd ${quoted(workspace)}`,
    `exec node ${listening.map(quoted).join(" ")}`,
    "",
  ].join("\n");
}
