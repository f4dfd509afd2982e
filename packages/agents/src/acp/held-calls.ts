import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import type { AcpUpdate } from "./dialect.ts";

/** More than this nobody wants to hear later. */
const MAX_HELD = 1_000;

/** What belongs into a turn. Everything else, e.g. a change of mode, may be told at any time. */
const ofTurns = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update"]);

/** What an agent says while no prompt runs: it is told with the next turn, for items happen in turns. */
export class HeldCalls {
  #held: JsonRpcCall[] = [];
  #drop = true;

  /** A time without a prompt begins. `drop`: whatever comes is about what is over, or was told before. */
  begin({ drop }: { drop: boolean }): void {
    this.#held = [];
    this.#drop = drop;
  }

  /** Keeps what has to wait and answers the rest. */
  hold(calls: readonly JsonRpcCall[]): JsonRpcCall[] {
    return calls.filter((call) => {
      if (!waits(call)) return true;
      if (!this.#drop && this.#held.length < MAX_HELD) this.#held.push(call);
      return false;
    });
  }

  release(): JsonRpcCall[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}

function waits({ params }: JsonRpcCall): boolean {
  const kind = ((params ?? {}) as { update?: AcpUpdate }).update?.sessionUpdate;
  return ofTurns.has(kind ?? "");
}
