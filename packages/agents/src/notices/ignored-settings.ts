import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { statusNotice } from "./status-notice.ts";

/** Files of the session's directory ask for what only its user may grant. */
export function ignoredSettings(itemId: string, asked: readonly string[], howToTrust: string): EventDraft[] {
  const detail =
    `The settings files of this directory ask for ${asked.join(", ")}. ` +
    `They are not taken, because the directory is not trusted. ${howToTrust}`;
  return statusNotice(itemId, ["Settings of the directory ignored", detail]);
}
