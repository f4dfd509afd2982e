import { call } from "./http-client.ts";
import { idleSession } from "./idle-session.ts";

/** A session that has its sandbox and its agent. */
export async function warmSession(url: string, id: string): Promise<string> {
  const base = `${url}/v1/sessions/${id}`;
  await call(base, "POST", { agent: "mock" });
  await call(`${base}/messages`, "POST", { message: "hello" });
  await idleSession(base);
  return base;
}
