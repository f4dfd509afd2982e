import type { Box, BoxOptions } from "./box.ts";

/** Makes boxes, and ends them all when it is closed. */
export interface BoxHost {
  create(options: BoxOptions): Promise<Box>;
  /** Those that are not destroyed. */
  readonly boxes: ReadonlyMap<string, Box>;
  /** Ends every box; nothing is left. */
  close(): Promise<void>;
}
