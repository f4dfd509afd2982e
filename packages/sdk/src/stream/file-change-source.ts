import type { FsChange } from "../api-types.ts";
import { CorruptStream } from "./event-cursor.ts";
import type { Source } from "./follow-events.ts";
import { sseParser } from "./read-sse.ts";

/** What happens to files has no numbers: a stream that is opened again begins with `ready` again. */
export function fileChangeSource(open: (signal: AbortSignal) => Promise<Response>): Source<FsChange> {
  let taken = 0;
  return {
    open,
    parserFor: (type) => sseParser(type),
    take: ({ data }) => {
      taken += 1;
      try {
        return JSON.parse(data) as FsChange;
      } catch (cause) {
        throw new CorruptStream("A frame of the stream of file changes is not JSON.", cause);
      }
    },
    position: () => taken,
  };
}
