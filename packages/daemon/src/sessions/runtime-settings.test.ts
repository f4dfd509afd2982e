/** Feared: a client that asked for a sandbox believes that it has one. */
import { SessionInfo, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

function noticesIn(events: readonly UniversalEvent[]): (string | null | undefined)[] {
  return ofType(events, "item.completed").flatMap(({ data: { item } }) =>
    item.content.flatMap((part) => (part.type === "status" ? [part.detail] : [])),
  );
}

describe("what only a runtime understands", () => {
  test.each([
    [
      { sandbox: { provider: "local", network: "off", gpu: true }, profile: "reviewer" },
      "`sandbox` and the name of a profile have",
    ],
    [{ sandbox: {} }, "`sandbox` has"],
    [{ profile: "reviewer" }, "the name of a profile has"],
  ])("has no effect, which the log says: %j", async (request, words) => {
    const { client } = await startTestDaemon();
    await client.create("s", request);
    const events = await client.soundLog("s");
    expect(events.map(({ type }) => type)).toEqual(["session.started", "item.started", "item.completed"]);
    expect(noticesIn(events)).toEqual([`This daemon runs no sandboxes: ${words} no effect.`]);
    expect(await client.info("s")).not.toHaveProperty("profile");
    expect(await client.info("s")).not.toHaveProperty("runtime");
    await client.turn("s", "echo hello");
    await client.soundLog("s");
  });

  test("is not spoken of where it was not given", async () => {
    const { client } = await startTestDaemon();
    await client.create("s", { sandbox: null, profile: null });
    expect(await client.events("s")).toHaveLength(1);
  });

  test.each([{ sandbox: { network: "maybe" } }, { sandbox: { memoryMiB: -1 } }, { sandbox: "big" }, { profile: "" }])(
    "is refused in a wrong shape: %j",
    async (request) => {
      const { client } = await startTestDaemon();
      expect(codeOf(await client.call("POST", session("s"), { agent: "mock", ...request }))).toBe("invalid_request");
    },
  );
});

describe("metadata", () => {
  test("is shown as it was given, also after a restart", async () => {
    const metadata = { customer: 42, tags: ["a", "ü"], deep: { nothing: null } };
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    await first.client.create("s", { metadata });
    const info = await first.client.info("s");
    expect(SessionInfo.parse(info)).toEqual(info);
    expect(info).toMatchObject({ metadata });
    await first.close();

    const { client } = await startTestDaemon({ dataDir });
    expect((await client.info("s")).metadata).toEqual(metadata);
    const { sessions } = (await client.call("GET", "/v1/sessions")).json<{ sessions: SessionInfo[] }>();
    expect(sessions[0]?.metadata).toEqual(metadata);
  });

  test("is bounded by its bytes, not its characters", async () => {
    const { client } = await startTestDaemon();
    const longest = "ü".repeat((64 * 1024 - '{"text":""}'.length - 1) / 2);
    await client.create("fits", { metadata: { text: `${longest}x` } });
    const answer = await client.call("POST", session("s"), { agent: "mock", metadata: { text: `${longest}xx` } });
    expect(codeOf(answer)).toBe("invalid_request");
    expect(answer.text).toContain("at most 65536 bytes");
  });
});

test("a name is the title, unless there is a title", async () => {
  const { client } = await startTestDaemon();
  await client.create("named", { name: "By name" });
  await client.create("titled", { name: "By name", title: "By title" });
  expect((await client.info("named")).title).toBe("By name");
  expect((await client.info("titled")).title).toBe("By title");
});
