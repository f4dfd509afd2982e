/** Feared: an answer that was acknowledged and is another in the log; a turn that is ended while its sandbox runs it. */
import { expect, test, vi } from "vitest";
import {
  daemonWith,
  envelope,
  eventsUntilTurnEnds,
  frame,
  json,
  scriptedSandboxes,
  sessionsOn,
  sse,
} from "../mirror/__fixtures__/scripted-sandboxes.ts";

test("an answer that was acknowledged is in the log though the sandbox was lost before it told so", async () => {
  const asked = { permission_id: "p", action: "true", status: "requested" };
  const said = ["turn.started", "permission.requested"] as const;
  const data = { "turn.started": { phase: "started", turn_id: "t" }, "permission.requested": asked };
  let lose: (() => void) | undefined;
  const lost = new Promise<string>((resolve) => {
    lose = () => resolve(frame(envelope(9, "error", { message: "a gap" })));
  });
  const events = [
    frame(envelope(1, "session.started", {})),
    ...said.map((type, n) => frame(envelope(n + 2, type, data[type]))),
  ];
  const daemon = daemonWith(() => sse(events.join(""), () => lost));
  const provider = scriptedSandboxes(
    () => (path, init) => (path.endsWith("/reply") ? new Response(null, { status: 204 }) : daemon(path, init)),
  );
  const sessions = sessionsOn(provider);
  const session = await sessions.createSession({ sessionId: "s", agent: "any", owner: "ann" });
  await session.sendMessage({ message: "hello", turnId: "t" });
  await vi.waitFor(() => expect(session.info().pendingPermissions).toEqual(["p"]));
  await session.replyPermission("p", { reply: "once" });
  lose!();
  const log = await eventsUntilTurnEnds(sessions, "s");
  expect(log.filter(({ type }) => type === "permission.resolved")).toMatchObject([
    { data: { permission_id: "p", reply: "once", status: "approved", resolved_by: "person" } },
  ]);
});

test("who interrupts while a sandbox is looked at interrupts the turn in it, and does not end it beside it", async () => {
  const asked: string[] = [];
  const looks: (() => void)[] = [];
  let isSlow = false;
  const daemon = daemonWith(() => sse(frame(envelope(1, "session.started", {}))));
  const provider = scriptedSandboxes(() => async (path, init) => {
    asked.push(path.split("/").at(-1)!);
    if (path === "/v1/health" && isSlow) await new Promise<void>((resolve) => looks.push(resolve));
    return path.endsWith("/interrupt") ? json({}, 202) : daemon(path, init);
  });
  const sessions = sessionsOn(provider);
  const session = await sessions.createSession({ sessionId: "s", agent: "any", owner: "ann" });
  await session.sandbox();
  isSlow = true;
  await session.sendMessage("hello");
  await vi.waitFor(() => expect(looks).not.toEqual([]));
  const interrupting = session.interrupt();
  isSlow = false;
  for (const look of looks) look();
  await interrupting;
  await vi.waitFor(() => expect(asked).toEqual(expect.arrayContaining(["messages", "interrupt"])));
  expect(session.info().eventCount).toBe(1);
  expect(provider.ended).toEqual([]);
});
