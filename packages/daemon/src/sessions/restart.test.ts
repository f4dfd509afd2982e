/** Feared: a daemon that stops and takes something with it, or starts and does not find its way back. */
import { describe, expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { agentText, Client, ofType } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { testOptions } from "../__fixtures__/test-options.ts";
import { startDaemon } from "../daemon.ts";

describe("close", () => {
  test("ends streams cleanly, closes running turns, ends agents; a restart goes on", async () => {
    const first = await startTestDaemon();
    const { client, dataDir } = first;
    for (const agent of ["mock", "fake"]) await client.create(agent, { agent });
    const readers = await Promise.all(["mock", "fake"].map((id) => client.follow(id)));
    for (const id of ["mock", "fake"]) await client.message(id, "slow 1000 20");
    for (const id of ["mock", "fake"]) await client.message(id, "waiting words");
    for (const reader of readers) await reader.until((event) => event.source === "agent");
    expect(agentProcesses(dataDir)).toHaveLength(1);
    await first.close();
    expect(agentProcesses(dataDir)).toEqual([]);
    for (const reader of readers) expect(await reader.closed).toBe("ended");
    await expect(client.call("GET", "/v1/health")).rejects.toThrow();

    const second = await startTestDaemon({ dataDir });
    for (const [n, id] of ["mock", "fake"].entries()) {
      const seen = readers[n]!.events;
      const reader = await second.client.follow(id);
      const events = await reader.until(
        (event) => event.type === "turn.ended" && event.data.metadata.reason === "completed",
      );
      expect(events.slice(0, seen.length)).toEqual(seen);
      const [stopped] = ofType(events, "turn.ended");
      expect(stopped?.data.metadata).toMatchObject({
        reason: "interrupted",
        message: expect.stringContaining("daemon"),
      });
      expect(agentText(events.slice(stopped?.sequence))).toBe("waiting words");
      expect(ofType(await second.client.soundLog(id), "turn.started")).toHaveLength(2);
      expect(agentText(await second.client.turn(id, "go on"))).toBe("go on");
    }
  });

  test("does not wait for agents that ignore SIGTERM, nor for readers that never read", async () => {
    const { client, close, dataDir } = await startTestDaemon();
    await client.create("s", { agent: "fake" });
    await client.turn("s", "ignore-term");
    const reader = await client.follow("s", { paused: true });
    await client.turn("s", "flood 2000 10000");
    await client.message("s", "slow 1000 20");
    await close();
    expect(agentProcesses(dataDir)).toEqual([]);
    reader.drop();
  });

  test("twice is once, and SIGTERM does the same", async () => {
    const { close } = await startTestDaemon();
    await Promise.all([close(), close()]);
    const dataDir = temporaryDirectory();
    const daemon = await DaemonProcess.start({ dataDir });
    await daemon.client.create("s", { agent: "fake" });
    const reader = await daemon.client.follow("s");
    await daemon.client.message("s", "slow 1000 20");
    await reader.until((event) => event.source === "agent");
    expect(await daemon.stop()).toBe(0);
    expect(await reader.closed).toBe("ended");
    expect(agentProcesses(dataDir)).toEqual([]);
    expect(daemon.stderr).toBe("");
  });
});

describe("a restart", () => {
  test("shows the same sessions, titles, usage and events, to the byte", async () => {
    const first = await startTestDaemon();
    const { dataDir } = first;
    await first.client.create("a", { agent: "fake" });
    await first.client.create("b", { title: "Given" });
    await first.client.create("c");
    await first.client.turn("a", "hello fake");
    await first.client.turn("b", "tool");
    await first.client.turn("c", "\n first line\nsecond line");
    await first.client.turn("c", "end");
    const paths = ["", "/a/events", "/b/events?includeRaw=true", "/c/events"].map((path) => `/v1/sessions${path}`);
    const before = await Promise.all(paths.map((path) => first.client.call("GET", path)));
    await first.close();
    const { client } = await startTestDaemon({ dataDir });
    const after = await Promise.all(paths.map((path) => client.call("GET", path)));
    expect(after.slice(1).map(({ text }) => text)).toEqual(before.slice(1).map(({ text }) => text));
    const withoutTime = ({ text }: { text: string }) => text.replace(/"updatedAt":\d+/g, "");
    expect(withoutTime(after[0]!)).toBe(withoutTime(before[0]!));
  });

  test("after a kill the title is what it was", async () => {
    const dataDir = temporaryDirectory();
    const first = await DaemonProcess.start({ dataDir });
    await first.client.create("s");
    await first.client.message("s", `\n  ${"long ".repeat(30)}\nsecond line`);
    const { title } = await first.client.info("s");
    await first.kill();
    const { client } = await startTestDaemon({ dataDir });
    expect((await client.info("s")).title).toBe(title);
  });

  test("an agent's conversation goes on under its own id", async () => {
    const first = await startTestDaemon();
    await first.client.create("s", { agent: "fake" });
    await first.client.turn("s", "hello");
    const { nativeSessionId } = await first.client.info("s");
    expect(nativeSessionId).toMatch(/^fake-/);
    await first.close();
    const { client } = await startTestDaemon({ dataDir: first.dataDir });
    await client.turn("s", "hello again");
    expect((await client.info("s")).nativeSessionId).toBe(nativeSessionId);
    expect(new Set((await client.soundLog("s")).slice(5).map((event) => event.native_session_id))).toEqual(
      new Set([nativeSessionId]),
    );
  });

  test("one that cannot listen touches nothing: a message that waited still waits", async () => {
    const first = await startTestDaemon();
    const { dataDir } = first;
    await first.client.create("s", { agent: "fake" });
    const reader = await first.client.follow("s");
    await first.client.message("s", "permission");
    await reader.until((event) => event.type === "permission.requested");
    await first.client.message("s", "the words that waited");
    await first.close();

    const { port } = await startTestDaemon();
    const refused = DaemonProcess.start({ dataDir, port });
    await expect(refused).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken.`);
    expect(agentProcesses(dataDir)).toEqual([]);

    const { client } = await startTestDaemon({ dataDir });
    const again = await client.follow("s");
    await again.until((event) => event.type === "turn.ended" && event.data.metadata.reason === "completed");
    const log = await client.soundLog("s");
    expect(agentText(log)).toBe("the words that waited");
    expect(ofType(log, "turn.ended").map(({ data }) => data.metadata.reason)).toEqual(["interrupted", "completed"]);
  });

  test("without a data directory everything works and nothing stays", async () => {
    const daemon = await startDaemon(testOptions({ dataDir: null }));
    const client = new Client(daemon.url);
    await client.create("s", { agent: "fake" });
    expect(agentText(await client.turn("s", "hello"))).toBe("hello");
    await client.soundLog("s");
    await daemon.close();
    const next = await startDaemon(testOptions({ dataDir: null }));
    expect((await new Client(next.url).call("GET", "/v1/sessions")).json()).toEqual({ sessions: [] });
    await next.close();
  });
});
