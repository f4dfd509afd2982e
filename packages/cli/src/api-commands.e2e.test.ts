// The built CLI against a real daemon and a real runtime, with the mock agent: what a person types, sees and gets as exit code.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SharedEnd } from "../../daemon/src/__fixtures__/at-end.ts";
import { CliHome, jsonLines } from "./__fixtures__/cli-home.ts";
import { serverKinds, startServerOf } from "./__fixtures__/servers.ts";

interface Event {
  type: string;
  data: Record<string, never>;
}

describe.each(serverKinds)("with %s", { timeout: 120_000 }, (kind) => {
  let home: CliHome;
  const shared = new SharedEnd();
  beforeAll(async () => {
    home = await CliHome.create(shared.atEnd);
    shared.atEnd(await startServerOf(kind, home, ["--isolation", "none"]));
  }, 120_000);
  afterAll(() => shared.undoAll(), 120_000);

  const create = (id: string) => home.json("sessions", "create", id, "--agent", "mock", "--directory", home.path);

  async function turn(id: string, message: string, ...flags: string[]): Promise<Event[]> {
    const { stdout, code, stderr } = await home.run(["sessions", "send-message-stream", id, message, ...flags]);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
  }

  describe("tables and JSON", () => {
    it("agents list", async () => {
      const { stdout } = await home.run(["agents", "list"]);
      expect(stdout).toMatch(/^AGENT +NAME +INSTALLED/);
      expect(stdout).toMatch(/^mock +Mock +yes +yes/m);
      const { agents } = await home.json<{ agents: { id: string }[] }>("agents", "list", "--json");
      expect(agents.map(({ id }) => id)).toContain("mock");
    });

    it("sessions list and get, also under api and with flags in front", async () => {
      await create("table");
      expect((await home.run(["sessions", "list"])).stdout).toMatch(/^table +mock +idle/m);
      expect((await home.run(["sessions", "get", "table"])).stdout).toMatch(/^status +idle$/m);
      const endpoint = home.env.SANDBOX_AGENT_ENDPOINT ?? "";
      const args = ["--endpoint", endpoint, "api", "sessions", "get", "table", "--json"];
      expect(await home.json(...args)).toMatchObject({ sessionId: "table", directory: home.path });
    });

    it("modes, models, server info, health and the OpenAPI document", async () => {
      expect((await home.run(["agents", "modes", "mock"])).stdout).toMatch(/^build /m);
      expect((await home.run(["agents", "models", "mock"])).stdout).toContain("default");
      expect(await home.json("api", "server", "info")).toMatchObject({ name: "sandbox-agent" });
      expect(await home.json("api", "server", "health")).toMatchObject({ status: "ok" });
      expect(await home.json("api", "server", "openapi")).toHaveProperty("openapi");
    });
  });

  describe("a session", () => {
    it("streams a turn, an event per line, and keeps it readable", async () => {
      await create("stream");
      const events = await turn("stream", "Say hello");
      expect(events.at(0)?.type).toBe("turn.started");
      expect(events.at(-1)?.type).toBe("turn.ended");
      const again = await home.run(["sessions", "get-messages", "stream", "--offset", "1"]);
      expect(
        again.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ).toEqual(events);
      const page = await home.json<object>("sessions", "events", "stream", "--limit", "1", "--json");
      expect(page).toMatchObject({ events: [{ type: "session.started" }], hasMore: true });
    });

    it("takes a message from stdin, once per idempotency key", async () => {
      await create("stdin");
      const send = ["sessions", "send-message", "stdin", "-", "--idempotency-key", "k"];
      const first = await home.run(send, "echo from stdin");
      const second = await home.run(send, "echo from stdin");
      expect(JSON.parse(first.stdout)).toEqual({ turnId: expect.any(String) });
      expect(second.stdout).toBe(first.stdout);
    });

    it("puts the sender's own id of a message into the log", async () => {
      await create("own-id");
      const [started] = await turn("own-id", "echo once", "--message-id", "mine-1");
      expect(started).toMatchObject({ type: "turn.started", data: { metadata: { client_message_id: "mine-1" } } });
    });

    it("streams the same turn again to whoever comes with its key", async () => {
      await create("again");
      const first = await turn("again", "echo once", "--idempotency-key", "k");
      expect(await turn("again", "echo once", "--idempotency-key", "k")).toEqual(first);
      expect((await turn("again", "echo once")).at(0)).not.toEqual(first.at(0));
    });

    it("has its permissions and questions answered while it is followed", async () => {
      await create("ask");
      const follow = home.spawn("sessions", "events-sse", "ask");
      await home.run(["sessions", "send-message", "ask", "permission"]);
      await home.run(["sessions", "send-message", "ask", "question"]);
      const seen: string[] = [];
      for await (const { type, data } of jsonLines(follow.stdout)) {
        seen.push(type);
        if (type === "permission.requested") {
          const { permission_id: id } = data as { permission_id: string };
          const reply = ["--reply", "reject", "--reason", "Not now."];
          expect((await home.run(["sessions", "reply-permission", "ask", id, ...reply])).code).toBe(0);
        }
        if (type === "permission.resolved") expect(data).toMatchObject({ reply: "reject", reason: "Not now." });
        if (type === "question.requested") {
          const { question_id: id, questions } = data as {
            question_id: string;
            questions: { options: { label: string }[] }[];
          };
          const answers = questions.flatMap(({ options }) => ["--answer", options[0]?.label ?? ""]);
          const reply = ["sessions", "reply-question", "ask", id, ...answers];
          expect(await home.run(reply)).toMatchObject({ code: 0, stderr: "" });
        }
        if (seen.filter((name) => name === "turn.ended").length === 2) break;
      }
      expect(seen).toEqual(expect.arrayContaining(["permission.resolved", "question.resolved"]));
    });

    it("is interrupted, terminated and deleted without a word", async () => {
      await create("end");
      for (const word of ["interrupt", "terminate", "delete"]) {
        expect(await home.run(["sessions", word, "end"])).toEqual({ code: 0, stdout: "", stderr: "" });
      }
      expect((await home.run(["sessions", "get", "end"])).code).toBe(1);
    });
  });

  describe("following a session", () => {
    it("ends with 130 on Ctrl-C", async () => {
      await create("ctrl-c");
      const follow = home.spawn("sessions", "events-sse", "ctrl-c");
      await once(follow.stdout, "data");
      follow.kill("SIGINT");
      expect(await once(follow, "exit")).toEqual([130, null]);
    });

    it("ends quietly when its reader has seen enough", async () => {
      await create("head");
      const follow = home.spawn("sessions", "events-sse", "head");
      let stderr = "";
      follow.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      await once(follow.stdout, "data");
      (follow.stdout as NodeJS.ReadableStream & { destroy(): void }).destroy();
      const exit = once(follow, "exit");
      await home.run(["sessions", "send-message", "head", "echo more"]);
      expect(await exit).toEqual([0, null]);
      expect(stderr).toBe("");
    });
  });

  describe("files", () => {
    it("go in by stdin or from a file and come out again, byte for byte", async () => {
      await create("files");
      const session = ["--session-id", "files"];
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
      writeFileSync(join(home.path, "local.bin"), bytes);
      const local = join(home.path, "local.bin");
      expect(
        JSON.parse((await home.run(["fs", "write", "in/a.bin", "--file", local, ...session])).stdout),
      ).toMatchObject({
        bytesWritten: 256,
      });
      await home.run(["fs", "read", "in/a.bin", "--file", join(home.path, "back.bin"), ...session]);
      expect(readFileSync(join(home.path, "back.bin"))).toEqual(bytes);
      await home.run(["fs", "write", "in/b.txt", ...session], "grüße\n");
      expect((await home.run(["fs", "read", "in/b.txt", ...session])).stdout).toBe("grüße\n");
    });

    it("are listed, described, moved and deleted", async () => {
      await create("tree");
      const session = ["--session-id", "tree"];
      await home.run(["fs", "mkdir", "tree/x", ...session]);
      await home.run(["fs", "write", "tree/one", ...session], "1");
      expect((await home.run(["fs", "entries", "tree", ...session])).stdout).toMatch(/^file +1 .* one$/m);
      expect((await home.run(["fs", "stat", "tree/one", ...session])).stdout).toMatch(/^size +1$/m);
      expect((await home.run(["fs", "move", "tree/one", "tree/two", ...session])).code).toBe(0);
      expect((await home.run(["fs", "delete", "tree", ...session])).code).toBe(1);
      expect((await home.run(["fs", "delete", "tree", "--recursive", ...session])).code).toBe(0);
      expect((await home.run(["fs", "stat", "tree", ...session])).code).toBe(1);
    });
  });

  describe("what goes wrong", () => {
    it("in the daemon is its problem on stderr and exit code 1", async () => {
      const { code, stdout, stderr } = await home.run(["sessions", "get", "nobody"]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(JSON.parse(stderr)).toMatchObject({ type: "urn:sandbox-agent:error:session_not_found", status: 404 });
    });
  });
});
