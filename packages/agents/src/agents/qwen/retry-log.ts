import { homedir } from "node:os";
import { join } from "node:path";
import type { AcpRetryLog } from "../../acp/retry-log.ts";

const attempt = /\[RETRY\] Attempt \d+ failed(?: with status (\d+))?\. Retrying/;
const throttled = /\[QWEN_CODE_CHAT\] Rate limit retry scheduled/;

/** Qwen Code asks its model again for minutes. It says so in the log of the conversation, which it keeps unless it is told not to. */
export const retryLog: AcpRetryLog = {
  async files({ env, nativeSessionId }) {
    const home = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(env.HOME || homedir(), ".qwen");
    return [join(home, "debug", `${nativeSessionId}.txt`)];
  },
  readRetry(line) {
    if (throttled.test(line)) return "The model service answered 429";
    const [matched, status] = attempt.exec(line) ?? [];
    return matched && `The model service answered ${status ?? "with an error"}`;
  },
};
