/** Feared: an installation that goes wrong in silence, or a client that hangs on a daemon that does not stream. */
import { expect, test } from "vitest";
import { listen, openSse, respondJson } from "../__fixtures__/scripted-server.ts";
import type { AgentInstallEvent, AgentInstallProgress } from "../api-types.ts";
import { SandboxAgent } from "../client.ts";

const result = { already_installed: false, artifacts: [] };
const progress = { type: "progress", program: "a", version: "1.0.0", step: "download", bytes: 1, total: 2 } as const;
const problem = {
  type: "urn:sandbox-agent:error:install_failed",
  title: "t",
  status: 500,
  detail: "Try again.",
} as const;

async function install(...events: readonly AgentInstallEvent[]): Promise<unknown> {
  const baseUrl = await listen((_request, response) => {
    openSse(response);
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  const seen: AgentInstallProgress[] = [];
  const client = await SandboxAgent.connect({ baseUrl });
  const answer = await client.installAgent("a", {}, { onProgress: (report) => seen.push(report) });
  expect(seen).toEqual(events.filter(({ type }) => type === "progress"));
  return answer;
}

test("progress is told, and the answer is what a plain request has", async () => {
  expect(await install(progress, progress, { type: "installed", result })).toEqual(result);
});

test("a failure is thrown as that of a plain request", async () => {
  const error = await install(progress, { type: "failed", problem }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 500, code: "install_failed", message: "Try again." });
});

test("a connection that ends too early is an error", async () => {
  await expect(install(progress)).rejects.toThrow("The connection ended before the installation did.");
});

test("a daemon that does not stream answers when it is done", async () => {
  const baseUrl = await listen((_request, response) => respondJson(response, 200, result));
  const client = await SandboxAgent.connect({ baseUrl });
  expect(await client.installAgent("a", {}, { onProgress: () => {} })).toEqual(result);
});
