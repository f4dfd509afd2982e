import type { PermissionReply, TurnEndReason } from "@sandbox-agent-ts/protocol";

/** A line the fake agent program prints. */
export type FakeOutput =
  | { type: "ready"; session: string }
  | { type: "item_start"; item: string }
  | { type: "text_delta"; item: string; text: string }
  | { type: "item_end"; item: string }
  | { type: "permission_ask"; id: string; action: string; command: string }
  | { type: "done"; reason: TurnEndReason; message?: string };

/** A line it takes. */
export type FakeInput =
  | { type: "prompt"; text: string }
  | { type: "permission_reply"; id: string; reply: PermissionReply; reason?: string }
  | { type: "interrupt" };
