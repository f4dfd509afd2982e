import { ProblemDetails } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import type { FileWorld } from "./file-world.ts";

export async function ask({ app }: FileWorld, method: string, url: string, init: RequestInit = {}) {
  const response = await app.request(url, { method, ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

/** Expects a problem and puts it into one line: `404 not_found: There is …`. */
export async function refused(world: FileWorld, method: string, url: string, init: RequestInit = {}): Promise<string> {
  const answer = await ask(world, method, url, init);
  expect(answer.headers.get("content-type"), answer.text).toBe("application/problem+json");
  const problem = ProblemDetails.parse(answer.json());
  return `${answer.status} ${problem.type.split(":").at(-1)}: ${problem.detail}`;
}

export function json(body: object) {
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

type Call = readonly [method: string, url: string, init?: RequestInit];

/** Every way to name a path, each of which would change or show something. */
export function everyOperation(path: string): readonly Call[] {
  const q = new URLSearchParams({ path });
  return [
    ["GET", `/v1/fs/entries?${q}`],
    ["GET", `/v1/fs/file?${q}`],
    ["GET", `/v1/fs/stat?${q}`],
    ["PUT", `/v1/fs/file?${q}`, { body: "x" }],
    ["POST", `/v1/fs/mkdir?${q}`],
    ["POST", "/v1/fs/move", json({ from: path, to: "moved-here" })],
    ["POST", "/v1/fs/move", json({ from: "mover", to: path, overwrite: true })],
    ["DELETE", `/v1/fs/entry?${q}&recursive=true`],
    ["GET", `/v1/fs/manifest?${q}`],
    ["POST", `/v1/fs/tar?${q}`],
    ["POST", `/v1/fs/delete-batch?${q}`, json({ paths: ["x"] })],
  ];
}
