import { createHash } from "node:crypto";
import type { EventDraft, PermissionMode, PermissionReply } from "@sandbox-agent-ts/protocol";
import type { OpenCall } from "../convert/amp-state.ts";
import { record } from "../convert/json.ts";
import { describeUse, useKey } from "./describe-use.ts";
import type { Answer } from "./permission-desk.ts";
import { decide, type ToolUse } from "./permission-policy.ts";

export interface RequestsOptions {
  readonly mode: PermissionMode;
  readonly directory: string;
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
    const { mode, directory, isAsking } = this.#options;
    if (!isAsking()) return Promise.resolve(overAlready);
    const decision = this.#allowed.has(fingerprint(use)) ? "allow" : decide(use, mode, directory);
    return decision === "ask" ? this.#askPerson(use, gone) : Promise.resolve(decision);
  }

  answer(id: string, reply: PermissionReply): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    if (reply === "always") this.#allow(request.use);
    request.answer(reply === "reject" ? { refuse: "The user rejected this. Do not do it." } : "allow");
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
    const id = `${this.#options.idPrefix}${++this.#count}`;
    const callId = this.#callOf(use);
    const answered = new Promise<Answer>((answer) => this.#open.set(id, { use, callId, answer }));
    const call = callId === undefined ? {} : { call_id: callId };
    const metadata = { tool: use.tool, input: use.input, ...call };
    const data = { permission_id: id, action: describeUse(use), status: "requested", metadata } as const;
    this.#options.emit([{ type: "permission.requested", data, source: "agent", synthetic: false }]);
    gone.addEventListener("abort", () => this.#withdraw(id), { once: true });
    return answered;
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
    const data = { permission_id: id, action: describeUse(request.use), status: "denied", reply: "reject" } as const;
    this.#options.emit([{ type: "permission.resolved", data, source: "agent", synthetic: false }]);
  }
}

/** Remembered instead of the use itself, which may hold secrets. */
function fingerprint(use: ToolUse): string {
  return createHash("sha256").update(useKey(use)).digest("hex");
}
