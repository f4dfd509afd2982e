import type { SpawnOptions } from "./agent-process.ts";
import { createLineSplitter } from "./line-splitter.ts";

const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface ProcessOutput {
  push(chunk: Buffer): void;
  end(): void;
  /** What the reader threw; it gets nothing more from then on. */
  readonly error: Error | undefined;
}

/** Hands stdout to its reader as lines; the first throw of the reader is the last call of it. */
export function createProcessOutput(options: SpawnOptions, onError: (error: Error) => void): ProcessOutput {
  const splitter = createLineSplitter(options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, {
    onLines: options.onLines,
    onOversizedLine: (line) => options.onOversizedLine?.(line),
  });
  let error: Error | undefined;

  function guard(deliver: () => void): void {
    if (error) return;
    try {
      deliver();
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
      onError(error);
    }
  }

  return {
    push: (chunk) => guard(() => splitter.push(chunk)),
    end: () => guard(() => splitter.end()),
    get error() {
      return error;
    },
  };
}
