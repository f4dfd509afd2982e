import { AgentProfile, SandboxError } from "@sandbox-agent-ts/protocol";
import { readJson } from "@sandbox-agent-ts/server/api";
import type { Hono } from "hono";
import type { Profiles } from "../../profiles/profiles.ts";
import { shownProfile } from "../../profiles/shown-profile.ts";

/** More than a profile may have as JSON, so that it is refused as one that is too large. */
const maxProfileBytes = 32 * 1024 * 1024;

/** The profiles of a runtime: all principals see them, and those who may write change them. */
export function profileRoutes(app: Hono, profiles: Profiles): void {
  app.get("/api/profiles", async (c) => c.json({ profiles: await profiles.list() }));

  app.get("/api/profiles/:name", async (c) => {
    const { profile, ...about } = await profiles.get(c.req.param("name"));
    return c.json({ ...about, profile: shownProfile(profile) });
  });

  app.put("/api/profiles/:name", async (c) => {
    const profile = await readJson(c, AgentProfile, { maxBytes: maxProfileBytes });
    return c.json(await profiles.put(c.req.param("name"), profile));
  });

  app.delete("/api/profiles/:name", async (c) => {
    const name = c.req.param("name");
    if (!(await profiles.delete(name))) throw new SandboxError("not_found", `There is no profile "${name}".`);
    return c.body(null, 204);
  });
}
