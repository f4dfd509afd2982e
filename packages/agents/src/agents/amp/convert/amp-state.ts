import type { Usage } from "@sandbox-agent-ts/protocol";
import type { AmpResult } from "../dialect.ts";

/** A tool that runs, or waits to be allowed. */
export interface OpenCall {
  readonly itemId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly arguments: string;
}

/** What has to be known of the lines before to understand the next one. */
export interface AmpState {
  readonly itemPrefix: string;
  readonly itemCount: number;
  readonly imagesDir: string;
  readonly calls: ReadonlyMap<string, OpenCall>;
  readonly usage: Usage | null;
  /** The process has said how the turn ended. */
  readonly result: AmpResult | null;
}

export function createAmpState(itemPrefix: string, imagesDir: string): AmpState {
  return { itemPrefix, itemCount: 0, imagesDir, calls: new Map(), usage: null, result: null };
}

/** Each turn is a process of its own, which knows nothing of the calls of another. */
export function beginTurn(state: AmpState): AmpState {
  return { ...state, calls: new Map(), usage: null, result: null };
}
