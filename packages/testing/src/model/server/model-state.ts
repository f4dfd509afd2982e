import type { ScriptPlayer } from "../conversation/script-player.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { RequestLog } from "./request-log.ts";

/** What all requests to one server share. */
export interface ModelState {
  readonly player: ScriptPlayer;
  readonly log: RequestLog;
  readonly problems: string[];
  readonly models: readonly string[];
  readonly refusedKeys: readonly string[];
  readonly closed: AbortSignal;
  readonly onRequest: (request: RecordedRequest) => void;
}
