import type { ModelRequest } from "../conversation/model-request.ts";
import type { Play } from "../conversation/script-player.ts";
import type { Json } from "../dialects/json.ts";
import type { DialectName } from "../script/request-matcher.ts";

/** A request as it arrived, and who answered it. */
export interface RecordedRequest extends ModelRequest {
  /** 0 for the first of the server. */
  readonly index: number;
  readonly dialect: DialectName;
  readonly path: string;
  /** In lower case; of credentials only the scheme and the last four characters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The agent's own name for the conversation, where its requests tell it. */
  readonly conversationId: string | undefined;
  readonly answeredBy: Pick<Play, "source" | "name" | "index">;
  /** What the script finds wrong with it. */
  readonly problems: readonly string[];
  /** The JSON as it was sent. */
  readonly body: Json;
}
