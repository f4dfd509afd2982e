import { call } from "./http-client.ts";

/** Wait until a session has nothing more to do. */
export async function idleSession(base: string): Promise<{ eventCount: number }> {
  while (true) {
    const info = await call<{ status: string; eventCount: number }>(base);
    if (info.status === "idle") return info;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
