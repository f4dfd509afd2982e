/** Feared: a reader of the list of all sessions that misses a change, or gets every word of every session. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { SessionListEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { session } from "../__fixtures__/client.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

type Told = Exclude<SessionListEvent, { type: "reset" }>;

/** Follows all sessions; `events` are those seen so far. */
class Watcher {
  readonly events: SessionListEvent[] = [];
  lastId: string | undefined;
  readonly #response: IncomingMessage;
  #look = () => {};

  static async open(url: string, headers: Record<string, string> = {}, query = ""): Promise<Watcher> {
    const sending = request(`${url}/v1/events/sse${query}`, { agent: false, headers }).end();
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/event-stream");
    return new Watcher(response);
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    let rest = "";
    response.setEncoding("utf8").on("data", (text: string) => {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop()!;
      for (const frame of frames) this.#take(frame);
      this.#look();
    });
    response.on("error", () => {});
    onTestFinished(() => this.drop());
  }

  async until(fits: (event: SessionListEvent) => boolean): Promise<SessionListEvent> {
    for (let at = 0; ; at++) {
      while (at >= this.events.length) await new Promise<void>((resolve) => (this.#look = resolve));
      if (fits(this.events[at]!)) return this.events[at]!;
    }
  }

  drop(): void {
    this.#response.destroy();
  }

  #take(frame: string): void {
    const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
    if (data === undefined) return;
    this.lastId = id;
    this.events.push(SessionListEvent.parse(JSON.parse(data)));
  }
}

const about = (id: string, type?: SessionListEvent["type"]) => (event: SessionListEvent) =>
  event.type !== "reset" &&
  (event.type === "session.deleted" ? event.sessionId : event.session.sessionId) === id &&
  (type === undefined || event.type === type);

const typesOf = ({ events }: Watcher, id: string) => events.filter(about(id)).map(({ type }) => type);

describe("a session's life", () => {
  test("is told from its creation to its deletion, with what it is at each moment", async () => {
    const { client, url } = await startTestDaemon();
    const watcher = await Watcher.open(url);
    expect(await watcher.until(() => true)).toEqual({ type: "reset", reason: "connected" });
    await client.create("s", { mcp: { files: { type: "local", command: "files" } } });
    const created = (await watcher.until(about("s", "session.created"))) as Extract<Told, { session: object }>;
    const { mcp: _, ...info } = await client.info("s");
    expect(created.session).toEqual(info);
    await client.message("s", "permission");
    const waiting = await watcher.until(about("s", "session.waiting"));
    const [permissionId] = (await client.info("s")).pendingPermissions;
    expect(waiting).toMatchObject({ session: { status: "waiting", pendingPermissions: [permissionId] } });
    await client.call("POST", `${session("s")}/permissions/${permissionId}/reply`, { reply: "once" });
    await watcher.until(
      (event) => about("s", "session.changed")(event) && "session" in event && event.session.status === "idle",
    );
    await client.call("PATCH", session("s"), { title: "Another" });
    await watcher.until((event) => "session" in event && event.session.title === "Another");
    await client.call("POST", `${session("s")}/terminate`);
    expect(await watcher.until(about("s", "session.ended"))).toMatchObject({ session: { status: "ended" } });
    await client.call("DELETE", session("s"));
    expect(await watcher.until(about("s", "session.deleted"))).toEqual({ type: "session.deleted", sessionId: "s" });
    await client.create("s");
    await watcher.until((event) => about("s", "session.created")(event) && event !== created);
  });

  test("has a last event that is what the session is, however fast it changes", async () => {
    const { client, url } = await startTestDaemon();
    const watcher = await Watcher.open(url);
    await client.create("s");
    await client.turn("s", "burst 2000 10");
    const { eventCount } = await client.info("s");
    await watcher.until(
      (event) => "session" in event && event.session.eventCount === eventCount && event.session.status === "idle",
    );
    expect(typesOf(watcher, "s").length).toBeLessThan(eventCount / 10);
  });
});

describe("coming back", () => {
  test.each(["header", "query"])(
    "with the last id in the %s tells what changed since, each session once",
    async (by) => {
      const { client, url } = await startTestDaemon();
      for (const id of ["a", "b", "gone"]) await client.create(id);
      const watcher = await Watcher.open(url);
      await watcher.until(() => true);
      await client.create("c");
      await watcher.until(about("c"));
      watcher.drop();
      for (let n = 0; n < 3; n++) await client.turn("a", "echo x");
      await client.create("new");
      await client.call("DELETE", session("gone"));
      const { lastId } = watcher;
      const again =
        by === "header"
          ? await Watcher.open(url, { "last-event-id": lastId! })
          : await Watcher.open(url, {}, `?after=${lastId}`);
      await again.until(about("new", "session.created"));
      await again.until(about("gone", "session.deleted"));
      await again.until((event) => about("a")(event) && "session" in event && event.session.status === "idle");
      expect(again.events.some(({ type }) => type === "reset")).toBe(false);
      expect([...typesOf(again, "b"), ...typesOf(again, "c")]).toEqual([]);
    },
  );

  test("after another start of the daemon, or with an id that is none, begins with a reset", async () => {
    const first = await startTestDaemon();
    const watcher = await Watcher.open(first.url);
    await first.client.create("s");
    await watcher.until(about("s"));
    await first.close();
    const { url } = await startTestDaemon({ dataDir: first.dataDir });
    for (const id of [watcher.lastId!, "nonsense", `${watcher.lastId}0`]) {
      const again = await Watcher.open(url, { "last-event-id": id });
      expect(await again.until(() => true)).toEqual({ type: "reset", reason: "restarted" });
    }
  });
});
