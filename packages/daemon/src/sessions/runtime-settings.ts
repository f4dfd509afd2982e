import { randomBytes } from "node:crypto";
import { statusNotice } from "@sandbox-agent-ts/agents";
import type { CreateSessionRequest, EventDraft } from "@sandbox-agent-ts/protocol";

/** Settings that only a runtime understands are told in the log, not passed over in silence. */
export function noticeOfRuntimeSettings({ sandbox, profile }: CreateSessionRequest): readonly EventDraft[] {
  const given = [...(sandbox ? ["`sandbox`"] : []), ...(typeof profile === "string" ? ["the name of a profile"] : [])];
  if (given.length === 0) return [];
  const detail = `This daemon runs no sandboxes: ${given.join(" and ")} ${given.length > 1 ? "have" : "has"} no effect.`;
  return statusNotice(`itm_${randomBytes(6).toString("base64url")}`, ["Settings without effect", detail]);
}
