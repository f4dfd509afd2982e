import { expect, test } from "vitest";
import { isOlder, tryConnection } from "./try-connection.ts";

type Answer = Response | "fails";
type Answers = { health: Answer; blind?: Answer; agents?: Answer; info?: Answer };

function placeOf(pathname: string): keyof Answers {
  if (pathname === "/") return "info";
  return pathname === "/v1/agents" ? "agents" : "health";
}

/** A daemon as fetch sees it: an answer for each kind of request. */
function attempt(answers: Answers, token = "t", pageProtocol = "http:") {
  const fetch = (async (input: string, init?: RequestInit) => {
    const answer = answers[init?.mode === "no-cors" ? "blind" : placeOf(new URL(input).pathname)];
    if (answer === undefined || answer === "fails") throw new TypeError("Failed to fetch");
    return answer;
  }) as typeof globalThis.fetch;
  return tryConnection({ url: "http://box:2468", token }, { fetch, pageProtocol });
}

const healthy = () => Response.json({ status: "ok", version: "0.1.0" });
const problem = (status: number, detail: string) => Response.json({ detail }, { status });

test("an open door", async () => {
  const answers = { health: healthy(), agents: Response.json({ agents: [] }) };
  expect(await attempt(answers)).toEqual({ ok: true, version: "0.1.0" });
});

test.each([
  ["nobody listens", { health: "fails", blind: "fails" }, { kind: "refused" }],
  ["no page of ours may read", { health: "fails", blind: Response.json({}) }, { kind: "cors" }],
  ["the header is not allowed", { health: healthy(), agents: "fails" }, { kind: "cors" }],
  [
    "the token is wrong",
    { health: healthy(), agents: problem(401, "") },
    { kind: "token", isMissing: false, server: "daemon" },
  ],
  [
    "the key is wrong",
    { health: healthy(), agents: problem(401, ""), info: Response.json({ kind: "runtime" }) },
    { kind: "token", isMissing: false, server: "runtime" },
  ],
  [
    "the host is refused",
    { health: healthy(), agents: problem(403, "Use a token.") },
    { kind: "host", detail: "Use a token." },
  ],
  ["it is too old to say", { health: Response.json({ status: "ok" }) }, { kind: "old", version: undefined }],
  ["it is too old", { health: Response.json({ status: "ok", version: "0.0.9" }) }, { kind: "old", version: "0.0.9" }],
  [
    "it is something else",
    { health: new Response("<html>", { status: 404 }) },
    { kind: "stranger", detail: "It answered with 404." },
  ],
] as const)("%s", async (_, answers, trouble) => {
  expect(await attempt(answers)).toEqual({ ok: false, trouble });
});

test("a missing token, and a page that may not speak plain HTTP", async () => {
  const locked = { health: healthy(), agents: problem(401, "") };
  expect(await attempt(locked, "")).toEqual({
    ok: false,
    trouble: { kind: "token", isMissing: true, server: "daemon" },
  });
  expect(await attempt({ health: "fails" }, "t", "https:")).toEqual({ ok: false, trouble: { kind: "mixed" } });
});

test.each([
  ["0.1.0", "0.1.0", false],
  ["0.0.9", "0.1.0", true],
  ["0.10.0", "0.9.9", false],
  ["1.0.0-rc.1", "0.9.0", false],
])("%s older than %s: %s", (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});
