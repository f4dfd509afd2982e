import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { StoredUsage } from "./access-store.ts";

/** How much a principal may have at a time; absent: as much as it likes. */
export interface Quota {
  readonly sessions?: number | undefined;
  /** Turns that wait or run. */
  readonly turns?: number | undefined;
  readonly sandboxes?: number | undefined;
  /** About the bytes that the logs of its sessions take. */
  readonly storageBytes?: number | undefined;
}

type Refuse = (owner: string, used: StoredUsage, quota: Quota) => void;

/** Throws where one more session is too much. */
export const refuseSession: Refuse = (owner, used, quota) => {
  refuseStorage(owner, used, quota);
  const { sessions = Number.POSITIVE_INFINITY } = quota;
  if (used.sessions < sessions) return;
  const sentence = `${owner} has ${used.sessions} sessions and may have ${sessions}. Delete one that is not needed.`;
  throw enough(sentence);
};

/** The same for a turn of this session, which may need a sandbox. */
export function refuseTurn(owner: string, used: StoredUsage, quota: Quota, sessionId: string): void {
  refuseStorage(owner, used, quota);
  const { turns = Number.POSITIVE_INFINITY } = quota;
  if (used.turns >= turns) {
    throw later(`${owner} has ${used.turns} turns that wait or run, and may have ${turns}. Try again when one ends.`);
  }
  refuseSandbox(owner, used, quota, sessionId);
}

/** The same for a sandbox of this session, whose own one does not count. */
export function refuseSandbox(owner: string, used: StoredUsage, quota: Quota, sessionId: string): void {
  const { sandboxes = Number.POSITIVE_INFINITY } = quota;
  const others = used.sandboxes.filter((id) => id !== sessionId).length;
  if (others < sandboxes) return;
  throw later(`${owner} has ${others} sandboxes and may have ${sandboxes}. End one, or unload a session that has one.`);
}

const refuseStorage: Refuse = (owner, { storageBytes }, { storageBytes: limit = Number.POSITIVE_INFINITY }) => {
  if (storageBytes < limit) return;
  throw enough(`The sessions of ${owner} take ${storageBytes} bytes and may take ${limit}. Delete some of them.`);
};

export function isLimited(quota: Quota | undefined, ...parts: readonly (keyof Quota)[]): quota is Quota {
  return quota !== undefined && parts.some((part) => quota[part] !== undefined);
}

/** Waiting does not help. */
function enough(sentence: string): SandboxError {
  return new SandboxError("permission_denied", sentence);
}

function later(sentence: string): SandboxError {
  return new SandboxError("too_many_requests", sentence);
}
