import { quoted } from "../shell-text.ts";

/** Runs what follows it, as the given user where it is root itself; a command of its own, without a shell in between. */
const script = `if [ "$1" = 0 ] || [ "$(id -u)" != 0 ]; then shift; exec "$@"; fi
user=$1
shift
exec setpriv --reuid "$user" --regid "$user" --clear-groups -- "$@"`;

export const asUser = (user: number, command: readonly string[]): string[] => [
  "sh",
  "-c",
  script,
  "sh",
  String(user),
  ...command,
];

/** For root, once: the directory that belongs to the user then. */
export const prepareUser = (user: number, root: string): string[] => [
  "sh",
  "-c",
  `set -e
mkdir -p ${quoted(root)}
if [ ${user} = 0 ] || [ "$(id -u)" != 0 ]; then exit 0; fi
setpriv --reuid ${user} --regid ${user} --clear-groups -- true || { echo "The image has no setpriv (of util-linux) to run things as user ${user}" >&2; exit 1; }
chown ${user}:${user} ${quoted(root)}`,
];
