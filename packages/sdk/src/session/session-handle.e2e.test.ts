/** Feared: the obvious program prints what is not the answer, answers a request twice, or hangs. Against real servers. */
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { servers, startServer } from "../__fixtures__/servers.ts";
import type { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";

describe.each(Object.keys(servers))("on %s", { timeout: 60_000 }, (kind) => {
  let client: SandboxAgent;
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer(kind);
    client = server.client;
  }, 120_000);
  afterAll(() => server.end(), 60_000);

  const mock = (id: string) => client.session(id, { agent: "mock", directory: server.home });

  test("a session is created when it is used, and used when it exists", async () => {
    const session = mock("made");
    await expect(client.getSession("made")).rejects.toMatchObject({ code: "session_not_found" });
    expect((await session.run("echo hello")).text).toBe("hello");
    expect((await mock("made").run("echo again")).text).toBe("again");
    const other = client.session("made", { agent: "codex" });
    await expect(other.ensure()).rejects.toThrow('exists already with the agent "mock", not "codex"');
    await expect(client.session("nobody").info()).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("the result has the answer alone, what it used and how it ended", async () => {
    const result = await mock("result").run("markdown");
    expect(result).toMatchObject({ outcome: "completed", turnId: expect.stringMatching(/^turn_/), files: [] });
    expect(result.usage).toBeDefined();
    const { events } = await client.getEvents("result");
    const reasoning = events.filter((event) => event.type === "item.delta" && event.data.part === "reasoning");
    expect(reasoning.length).toBeGreaterThan(0);
    expect(result.text).not.toContain(reasoning[0]?.type === "item.delta" ? reasoning[0].data.delta : "");
    const failed = await mock("result").run("error");
    expect(failed.outcome).toBe("error");
    expect(failed.message).toBeTruthy();
  });

  test("the stream of text is the same text, piece by piece, and throws when the turn fails", async () => {
    const { text } = await mock("text-1").run("tool");
    const pieces: string[] = [];
    for await (const piece of mock("text-2").textStream("tool")) pieces.push(piece);
    expect(pieces.join("")).toBe(text);
    expect(pieces.length).toBeGreaterThan(1);
    const failing = async () => {
      for await (const _ of mock("text-2").textStream("error"));
    };
    await expect(failing()).rejects.toBeInstanceOf(SandboxAgentError);
  });

  test("handlers of a run answer permissions and all questions of a request", async () => {
    const asked: string[] = [];
    const onPermission = ({ action }: { action: string }) => {
      asked.push(action);
      return { reply: "reject", reason: "not today" } as const;
    };
    expect((await mock("asks").run("permission", { onPermission })).outcome).toBe("completed");
    expect(asked).toHaveLength(1);
    const onQuestion = () => (question: { options: { label: string }[] }) => question.options[0]?.label;
    expect((await mock("asks").run("question", { onQuestion })).outcome).toBe("completed");
    const { events } = await client.getEvents("asks");
    const answered = events.find((event) => event.type === "question.resolved");
    if (answered?.type !== "question.resolved") throw new Error("no answer");
    expect(answered.data.answers).toHaveLength(answered.data.questions?.length ?? 1);
    expect(answered.data.answers?.every((labels) => labels.length === 1)).toBe(true);
  });

  test("a handler that throws ends the run with its error", async () => {
    const session = mock("throws");
    const onPermission = (): never => {
      throw new Error("from the handler");
    };
    await expect(session.run("permission", { onPermission })).rejects.toThrow("from the handler");
    await session.interrupt();
  });

  test("a signal interrupts the turn", async () => {
    const stopping = new AbortController();
    const { outcome } = await mock("stopped").run("permission", {
      onPermission: () => {
        stopping.abort();
        return undefined;
      },
      signal: stopping.signal,
    });
    expect(outcome).toBe("interrupted");
  });

  test("a subscription answers what waits already and what comes, once, until it is stopped", async () => {
    const session = mock("subscribed");
    const first = session.run("permission");
    await expect.poll(async () => (await session.info()).pendingPermissions.length, { timeout: 30_000 }).toBe(1);
    let asked = 0;
    const subscription = session.on("permission", () => {
      asked += 1;
      return "once";
    });
    expect((await first).outcome).toBe("completed");
    expect((await session.run("permission")).outcome).toBe("completed");
    expect(asked).toBe(2);
    subscription.stop();
    await subscription.done;
  });

  test("what a handler of a subscription throws is not lost", async () => {
    const session = mock("subscription-throws");
    const turn = session.run("permission");
    await expect.poll(async () => (await session.info()).pendingPermissions.length, { timeout: 30_000 }).toBe(1);
    const throwing = (): never => {
      throw new Error("from the handler");
    };
    await expect(session.on("permission", throwing).done).rejects.toThrow("from the handler");
    await session.interrupt();
    await turn;
  });

  test("an error prints its sentence and nothing of the response", async () => {
    const error: unknown = await client.getSession("nobody").catch((reason: unknown) => reason);
    if (!(error instanceof SandboxAgentError)) throw new Error("no error");
    expect(error.problem?.title).toBe("Session not found");
    expect(error.response).toBeInstanceOf(Response);
    expect(String(error)).toBe('SandboxAgentError: There is no session "nobody".');
    const lines = inspect(error)
      .split("\n")
      .filter((line) => !line.startsWith("    at "));
    expect(lines).toEqual(['SandboxAgentError: There is no session "nobody".', "  status: 404", "}"]);
  });
});
