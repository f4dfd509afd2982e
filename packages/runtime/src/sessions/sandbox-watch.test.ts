/** Feared: two who end a sandbox at once wait for each other for ever. */
import { expect, test, vi } from "vitest";
import { daemonWith, json, scriptedSandboxes, sessionsOn, sse } from "../mirror/__fixtures__/scripted-sandboxes.ts";

test("a sandbox that is gone while somebody ends it is ended once, and the session can be unloaded", async () => {
  let isWell = true;
  const looks: (() => void)[] = [];
  const look = () => new Promise<Response>((resolve) => looks.push(() => resolve(json({}, 502))));
  const daemon = daemonWith(() => (isWell ? sse("") : json({}, 502)));
  const provider = scriptedSandboxes(
    () => (path, init) => (path === "/v1/health" && !isWell ? look() : daemon(path, init)),
    () => (isWell ? { state: "running" } : { state: "gone", why: "It was removed." }),
  );
  const sessions = sessionsOn(provider);
  const session = await sessions.createSession({ sessionId: "s", agent: "any", owner: "ann" });
  await session.sandbox();
  isWell = false;
  const reply = session.sendMessage("hello");
  await vi.waitFor(() => expect(looks).not.toEqual([]));
  const unloading = sessions.unloadSession("s");
  const answering = setInterval(() => looks.splice(0).map((answer) => answer()), 5);
  await Promise.all([reply, unloading]).finally(() => clearInterval(answering));
  expect(provider.ended).toEqual(["box-1"]);
  expect(sessions.isSessionLoaded("s")).toBe(false);
});
