import type { HealthResponse } from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import type { Logger } from "../log/logger.ts";
import type { AgentsService, SessionsService } from "../services.ts";
import type { TableRoute } from "./no-such-route.ts";
import type { UiSource } from "./ui/ui-source.ts";

/** What the routes of the API serve: the sessions of one daemon, or those of a whole runtime. */
export interface ApiServices {
  readonly version: string;
  readonly kind: "daemon" | "runtime";
  readonly health: () => HealthResponse;
  /** What is held in memory beside what the process itself says. */
  readonly memory: () => object;
  readonly log: Logger;
  /** Takes secrets out of the JSON of a problem. */
  readonly redact?: ((json: string) => string) | undefined;
  readonly agents: AgentsService;
  /** The sessions as whoever sends this request may see them. */
  readonly sessions: (c: Context) => SessionsService;
  /** Adds what every request passes first. */
  readonly before?: ((app: Hono) => void) | undefined;
  /** Adds the routes under `/v1/fs`. */
  readonly files: (app: Hono) => void;
  /** Adds routes that are not in the table. */
  readonly others?: ((app: Hono) => void) | undefined;
  /** Tables of those, which a path with another method is looked up in. */
  readonly moreRoutes?: readonly TableRoute[] | undefined;
  readonly ui: string | UiSource | undefined;
  /** Aborted when the server stops: streams end then. */
  readonly closing: AbortSignal;
}

/** The largest JSON body. */
export const maxJsonBytes = 16 * 1024 * 1024;
/** The largest create: a conversation may be in it. */
export const maxCreateBytes = 64 * 1024 * 1024;
/** The largest message: its attachments may be in it. */
export const maxMessageBytes = 48 * 1024 * 1024;
