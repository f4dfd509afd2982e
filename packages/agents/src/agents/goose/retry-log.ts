import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AcpRetryLog } from "../../acp/retry-log.ts";

const DAY_MS = 24 * 60 * 60_000;

interface LogLine {
  readonly fields?: { readonly message?: string };
  readonly span?: { readonly "session.id"?: string };
}

const retrying = /^Request failed, retrying \(\d+\/\d+\): (\w+)/;

/**
 * Goose waits for as long as its model service says. It says so in a log: one file for each second in which a process was
 * started, by the clock of the place, in a folder for each day.
 */
export const retryLog: AcpRetryLog = {
  async files({ env, startedAt }) {
    const root = env.GOOSE_PATH_ROOT;
    const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state");
    const folder = join(root ? join(root, "state") : join(state, "goose"), "logs", "cli");
    const firstDay = new Date(startedAt - DAY_MS).toISOString().slice(0, 10);
    const days = (await readdir(folder)).filter((day) => day >= firstDay);
    const files = await Promise.all(days.map((day) => filesSince(join(folder, day), startedAt)));
    return files.flat();
  },
  readRetry(line, { nativeSessionId }) {
    if (!line.includes("Request failed, retrying")) return undefined;
    const { fields, span } = parse(line);
    const kind = retrying.exec(fields?.message ?? "")?.[1];
    if (kind === undefined || span?.["session.id"] !== nativeSessionId) return undefined;
    return `The model service gave no answer: ${inWords(kind)}`;
  },
};

async function filesSince(folder: string, since: number): Promise<string[]> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return files.filter((_, at) => times[at]! >= since);
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}

/** `RateLimitExceeded` → `rate limit exceeded`. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
