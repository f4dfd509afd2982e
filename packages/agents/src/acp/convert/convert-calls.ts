import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import type { AcpState } from "./acp-state.ts";
import { Conversion, type Converted } from "./conversion.ts";

/** The calls of one read → what happened. Pure. `terminals` are the outputs of terminals of ours, by id. */
export function convertCalls(
  state: AcpState,
  calls: readonly JsonRpcCall[],
  terminals?: ReadonlyMap<string, string>,
): Converted {
  const conversion = new Conversion(state, terminals);
  for (const call of calls) conversion.take(call);
  return conversion.result();
}

/** What a try met that failed and is followed by another, of which the agent says nothing. Pure. */
export function convertRetry(state: AcpState, what: string): Converted {
  const conversion = new Conversion(state);
  conversion.tryAgain(what);
  return conversion.result();
}
