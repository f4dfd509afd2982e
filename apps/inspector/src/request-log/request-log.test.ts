import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "./curl-command.ts";
import { type LoggedRequest, RequestLog } from "./request-log.ts";

const only = (log: RequestLog): LoggedRequest => {
  const [request] = log.getSnapshot();
  if (!request) throw new Error("nothing was logged");
  return request;
};

test("a call leaves its status and time, a failed one its reason", async () => {
  const log = new RequestLog();
  await log.recording(async () => new Response(null, { status: 204 }))("http://x/a", { method: "POST", body: "{}" });
  expect(only(log)).toMatchObject({ method: "POST", url: "http://x/a", status: 204, body: { text: "{}" } });
  expect(only(log).durationMs).toBeGreaterThanOrEqual(0);
  log.clear();
  const failing = log.recording(() => Promise.reject(new TypeError("Failed to fetch")));
  await expect(failing("http://x/b")).rejects.toThrow("Failed to fetch");
  expect(only(log)).toMatchObject({ status: undefined, error: "Failed to fetch" });
});

test("asking the same again and again is one line, and the log stays bounded", async () => {
  const log = new RequestLog();
  const fetch = log.recording(async () => new Response("ok"));
  for (let time = 0; time < 5; time += 1) await fetch("http://x/poll");
  expect(only(log)).toMatchObject({ repeats: 5, status: 200 });
  for (let time = 0; time < 600; time += 1) await fetch(`http://x/${time}`);
  expect(log.getSnapshot()).toHaveLength(500);
  expect(log.getSnapshot().at(-1)?.url).toBe("http://x/599");
});

async function logged(init: RequestInit): Promise<LoggedRequest> {
  const log = new RequestLog();
  await log.recording(async () => new Response())("http://x/v1/sessions/a?b=c&d", init);
  return only(log);
}

/** What a shell makes of the command: its words. */
const wordsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; SANDBOX_AGENT_TOKEN=env; ${command}`], {
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n");

test("the command says what was sent, and the token only when asked", async () => {
  const body = JSON.stringify({ message: 'it\'s `$HOME` "quoted"' });
  const headers = { authorization: "Bearer s3cret", "content-type": "application/json" };
  const request = await logged({ method: "POST", body, headers });
  const masked = curlCommand(request, { withToken: false });
  expect(masked).not.toContain("s3cret");
  const words = ["-X", "POST", "http://x/v1/sessions/a?b=c&d"];
  const rest = ["-H", "content-type: application/json", "--data-raw", body];
  expect(wordsOf(masked)).toEqual([...words, "-H", "authorization: Bearer env", ...rest]);
  expect(wordsOf(curlCommand(request, { withToken: true }))).toEqual([
    ...words,
    "-H",
    "authorization: Bearer s3cret",
    ...rest,
  ]);
});

test("streams are not held back, bytes come from a file", async () => {
  expect(curlCommand(await logged({ headers: { accept: "text/event-stream" } }), { withToken: false })).toContain(
    "--no-buffer",
  );
  expect(curlCommand(await logged({ method: "PUT", body: new Uint8Array(1) }), { withToken: false })).toContain(
    "@FILE",
  );
});
