import { createHash } from "node:crypto";
import type { EventDraft, PermissionMode, PermissionReply, PermissionRequestedData } from "@sandbox-agent-ts/protocol";
import {
  type CallSetting,
  permissionData,
  rememberedPermission,
  withdrawnPermission,
} from "../../../permissions/permission-data.ts";
import type { OpenCall } from "../convert/amp-state.ts";
import { record } from "../convert/json.ts";
import type { Answer } from "./permission-desk.ts";
import { decide, type ToolUse } from "./permission-policy.ts";

export interface RequestsOptions {
  readonly mode: PermissionMode;
  readonly setting: CallSetting;
  readonly idPrefix: string;
  /** The tools that Amp has told of and that have no result yet. */
  calls(): ReadonlyMap<string, OpenCall>;
  /** Whether a turn runs in which a person may be asked. */
  isAsking(): boolean;
  emit(drafts: readonly EventDraft[]): void;
  /** What `remember` was given last, maybe by another process. */
  readonly memory: unknown;
  remember(value: unknown): void;
}

interface OpenRequest {
  readonly use: ToolUse;
  readonly callId: string | undefined;
  readonly data: PermissionRequestedData;
  answer(answer: Answer): void;
}

const overAlready: Answer = { refuse: "The turn is over: nobody can be asked any more." };

/** What Amp wants to do and a person has to decide; what was decided for the whole session is remembered here. */
export class PermissionRequests {
  readonly #options: RequestsOptions;
  readonly #open = new Map<string, OpenRequest>();
  readonly #allowed: Set<string>;
  #count = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
    const { allowed } = record(options.memory);
    this.#allowed = new Set(Array.isArray(allowed) ? allowed : []);
  }

  /** `gone` is aborted when Amp no longer waits for the answer. */
  ask(use: ToolUse, gone: AbortSignal): Promise<Answer> {
    const { mode, setting, isAsking } = this.#options;
    if (!isAsking()) return Promise.resolve(overAlready);
    if (this.#allowed.has(fingerprint(use))) {
      const data = rememberedPermission(this.#dataOf(use, this.#callOf(use)));
      this.#options.emit([{ type: "permission.resolved", data, source: "agent", synthetic: false }]);
      return Promise.resolve("allow");
    }
    const decision = decide(use, mode, setting.directory);
    return decision === "ask" ? this.#askPerson(use, gone) : Promise.resolve(decision);
  }

  answer(id: string, reply: PermissionReply, reason?: string): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    if (reply === "always") this.#allow(request.use);
    const words = reason === undefined ? ". Do not do it." : ` and said: ${reason}`;
    request.answer(reply === "reject" ? { refuse: `The user rejected this${words}` } : "allow");
  }

  /** The turn is over; what was asked in it is no question any more. */
  endTurn(): void {
    for (const { answer } of this.#open.values()) answer(overAlready);
    this.#open.clear();
  }

  #allow(use: ToolUse): void {
    this.#allowed.add(fingerprint(use));
    this.#options.remember({ allowed: [...this.#allowed] });
  }

  #askPerson(use: ToolUse, gone: AbortSignal): Promise<Answer> {
    const callId = this.#callOf(use);
    const data = this.#dataOf(use, callId);
    const id = data.permission_id;
    const answered = new Promise<Answer>((answer) => this.#open.set(id, { use, callId, data, answer }));
    this.#options.emit([{ type: "permission.requested", data, source: "agent", synthetic: false }]);
    gone.addEventListener("abort", () => this.#withdraw(id), { once: true });
    return answered;
  }

  #dataOf(use: ToolUse, callId: string | undefined): PermissionRequestedData {
    const metadata = { ...use, ...(callId === undefined ? {} : { call_id: callId }) };
    const itemId = callId === undefined ? undefined : this.#options.calls().get(callId)?.itemId;
    const id = `${this.#options.idPrefix}${++this.#count}`;
    return permissionData(id, { ...use, callId, itemId, metadata }, this.#options.setting);
  }

  /** Amp does not say for which call it asks. */
  #callOf(use: ToolUse): string | undefined {
    const asked = new Set(Array.from(this.#open.values(), ({ callId }) => callId));
    const isThis = ([id, { name, input }]: [string, OpenCall]): boolean =>
      !asked.has(id) && useKey({ tool: name, input }) === useKey(use);
    return [...this.#options.calls()].find(isThis)?.[0];
  }

  #withdraw(id: string): void {
    const request = this.#open.get(id);
    if (request === undefined || !this.#options.isAsking()) return;
    this.#open.delete(id);
    const data = withdrawnPermission(request.data);
    this.#options.emit([{ type: "permission.resolved", data, source: "agent", synthetic: false }]);
  }
}

/** The same tool with the same input. */
export function useKey({ tool, input }: ToolUse): string {
  return JSON.stringify([tool, Object.entries(input).sort(([one], [other]) => one.localeCompare(other))]);
}

/** Remembered instead of the use itself, which may hold secrets. */
function fingerprint(use: ToolUse): string {
  return createHash("sha256").update(useKey(use)).digest("hex");
}
