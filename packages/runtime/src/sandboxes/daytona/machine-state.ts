import type { MachineLife } from "../hosted/hosted-machine.ts";
import type { DaytonaSandbox } from "./daytona-client.ts";

type Seen = Pick<
  DaytonaSandbox,
  "state" | "autoStopInterval" | "lastActivityAt" | "createdAt" | "errorReason" | "recoverable"
>;

const minute = 60_000;

/** What a state of Daytona's is in the words of the seam. */
export function lifeOf(sandbox: Seen): MachineLife {
  const { state, errorReason, recoverable } = sandbox;
  switch (state) {
    case "stopping":
    case "stopped":
    case "pausing":
    case "paused":
    case "archiving":
    case "archived":
      return { state: "suspended" };
    case "destroying":
    case "destroyed":
      return { state: "gone", why: "It was removed at Daytona." };
    case "error":
    case "build_failed":
      if (recoverable) return { state: "suspended", why: errorReason };
      return { state: "gone", why: `Daytona says that it failed: ${errorReason ?? "no reason"}.` };
    case "started":
    case "resizing":
    case "snapshotting":
    case "forking":
      return { state: "running", ...expiry(sandbox) };
    default:
      return { state: "starting" };
  }
}

/** When it is stopped where nobody uses it from outside. */
function expiry({ autoStopInterval = 0, lastActivityAt, createdAt }: Seen): Pick<MachineLife, "expiresAt"> {
  const since = Date.parse(lastActivityAt ?? createdAt ?? "");
  return autoStopInterval > 0 && Number.isFinite(since) ? { expiresAt: since + autoStopInterval * minute } : {};
}

/** Daytona counts in minutes. */
export const minutesOf = (lifeMs: number): number => Math.max(1, Math.ceil(lifeMs / minute));
