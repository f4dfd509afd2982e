import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AcpRetryLog } from "../../acp/retry-log.ts";

const waits = /Model provider request failed \{.*"http_status":(\d+).*"retry_after_ms":(\d+)/;

/**
 * Copilot says that it asks its model again, but not that it waits before: for as long as the model service says. Only the
 * log of the process does.
 */
export const retryLog: AcpRetryLog = {
  async files({ env, pid }) {
    const folder = join(env.COPILOT_HOME || join(env.HOME || homedir(), ".copilot"), "logs");
    const names = (await readdir(folder)).filter((name) => name.endsWith(`-${pid}.log`));
    return names.map((name) => join(folder, name));
  },
  readRetry(line) {
    const [matched, status, waitMs] = waits.exec(line) ?? [];
    return (
      matched && `The model service answered ${status}, and to ask again in ${Math.ceil(Number(waitMs) / 1000)} seconds`
    );
  },
};
