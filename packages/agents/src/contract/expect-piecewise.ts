import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";

interface Converter<State, Native> {
  begin(): State;
  convert(state: State, said: readonly Native[]): { readonly state: State; readonly drafts: readonly EventDraft[] };
}

/** One by one it becomes the same as at once, and no state is changed by its use. */
export function expectPiecewise<State, Native>(
  said: readonly Native[],
  { begin, convert }: Converter<State, Native>,
): void {
  const start = begin();
  const whole = convert(start, said);
  let state = start;
  const drafts = said.flatMap((one) => {
    const converted = convert(state, [one]);
    state = converted.state;
    return converted.drafts;
  });
  expect(drafts).toEqual(whole.drafts);
  expect(state).toEqual(whole.state);
  expect(start).toEqual(begin());
}
