import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { fileRoutes } from "../../http/routes/files.ts";
import { workspaceRoutes } from "../../http/routes/workspace.ts";
import type { FileAccess } from "../file-access.ts";

/** A temporary place with a root, a session's directory in it, and a tree outside that nothing may touch. */
export interface FileWorld {
  readonly app: Hono;
  readonly access: FileAccess;
  readonly root: string;
  readonly session: string;
  readonly outside: string;
  remove(): Promise<void>;
}

export const secret = "the canary's secret";

export function makeFileWorld(): FileWorld {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-agent-files-")));
  const root = join(top, "root");
  const session = join(root, "session");
  const outside = join(top, "outside");
  mkdirSync(session, { recursive: true });
  mkdirSync(join(outside, "nest"), { recursive: true });
  writeFileSync(join(outside, "canary"), secret);
  writeFileSync(join(outside, "nest", "egg"), secret);
  const access = accessTo(root, session);
  return { app: appOf(access), access, root, session, outside, remove: () => rm(top, { recursive: true }) };
}

function accessTo(root: string, session: string): FileAccess {
  return {
    roots: () => [root, session],
    base: (sessionId) => {
      if (sessionId === undefined) return root;
      if (sessionId === "s") return session;
      throw new SandboxError("session_not_found", `There is no session ${sessionId}.`, { sessionId });
    },
  };
}

function appOf(access: FileAccess): Hono {
  const app = new Hono();
  fileRoutes(app, access);
  workspaceRoutes(app, access, new AbortController().signal);
  app.onError((error, c) => {
    const problem = error instanceof SandboxError ? error : new SandboxError("internal_error", String(error.stack));
    return c.json(problem.toProblem(), problem.status as ContentfulStatusCode, {
      "content-type": "application/problem+json",
    });
  });
  return app;
}

/** Plants symlinks into the root that lead out of it, or nowhere. */
export function plantSymlinks({ root, outside }: FileWorld): void {
  symlinkSync(outside, join(root, "way-out"));
  symlinkSync(join(outside, "canary"), join(root, "file-out"));
  symlinkSync(join(outside, "not-there-yet"), join(root, "dangling"));
  symlinkSync("../outside", join(root, "relative-out"));
  symlinkSync("loop", join(root, "loop"));
}
