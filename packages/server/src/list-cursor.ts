import { SandboxError } from "@sandbox-agent-ts/protocol";

/** A place in the order in which sessions were created. */
export interface ListPosition {
  readonly createdAt: number;
  readonly id: string;
}

export function encodeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

export function decodeCursor(cursor: string): ListPosition {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Number.isFinite(createdAt) && typeof id === "string") return { createdAt, id };
  } catch {
    // Not one of ours, as below.
  }
  throw new SandboxError("invalid_request", "The cursor is not valid. Send `nextCursor` of the page before as it is.", {
    details: { issues: [{ path: "cursor", message: "must be a `nextCursor`" }] },
  });
}
