import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import type { AcpState } from "./acp-state.ts";
import { Conversion, type Converted } from "./conversion.ts";

/**
 * The calls of one read → what happened. A call that cannot be read becomes `agent.unparsed` and the others are taken.
 * Pure. `terminals` are the outputs of terminals of ours, by id.
 */
export function convertCalls(
  state: AcpState,
  calls: readonly JsonRpcCall[],
  terminals?: ReadonlyMap<string, string>,
): Converted {
  try {
    const conversion = new Conversion(state, terminals);
    for (const call of calls) conversion.take(call);
    return conversion.result();
  } catch {
    return convertOneByOne(state, calls, terminals);
  }
}

/** Each call on its own: one that throws leaves nothing of itself behind. */
function convertOneByOne(
  beginning: AcpState,
  calls: readonly JsonRpcCall[],
  terminals: ReadonlyMap<string, string> | undefined,
): Converted {
  let state = beginning;
  const converted = calls.map((call) => {
    const one = convertOne(state, call, terminals);
    ({ state } = one);
    return one;
  });
  return {
    state,
    drafts: converted.flatMap(({ drafts }) => drafts),
    images: converted.flatMap(({ images }) => images),
    answers: converted.flatMap(({ answers }) => answers),
  };
}

function convertOne(state: AcpState, call: JsonRpcCall, terminals?: ReadonlyMap<string, string>): Converted {
  try {
    const conversion = new Conversion(state, terminals);
    conversion.take(call);
    return conversion.result();
  } catch (error) {
    const conversion = new Conversion(state);
    conversion.takeUnreadable(call, error);
    return conversion.result();
  }
}

/** What a try met that failed and is followed by another, of which the agent says nothing. Pure. */
export function convertRetry(state: AcpState, what: string): Converted {
  const conversion = new Conversion(state);
  conversion.tryAgain(what);
  return conversion.result();
}
