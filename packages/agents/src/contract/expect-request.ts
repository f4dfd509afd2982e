import { join } from "node:path";
import {
  describeToolCall,
  type PermissionRequestedData,
  type PermissionResolvedData,
} from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import type { AgentHarness } from "./agent-harness.ts";
import type { ExpectedRequest } from "./agent-scenario.ts";
import { eventsOf } from "./stream-readers.ts";

type Asked = PermissionRequestedData | PermissionResolvedData;

/** Every request says of which kind it is, and names a tool call that the stream has already told. */
export function expectAboutCall(harness: AgentHarness, asked: Asked): void {
  const { action, kind, tool, item_id, call_id } = asked;
  expect(action).not.toBe("");
  expect(kind, `the kind of ${action}`).toBeDefined();
  expect(tool, `the tool of ${action}`).toBeTruthy();
  const item = eventsOf(harness.events, "item.started").find(({ data }) => data.item.item_id === item_id)?.data.item;
  expect(item, `the item of ${action}`).toMatchObject({ kind: "tool_call" });
  const calls = item!.content.flatMap((part) => (part.type === "tool_call" ? [part.call_id] : []));
  expect(calls, "the call of its item").toEqual([call_id]);
}

/** What a person reads names the use itself, and the fields for programs say it in the same words for every agent. */
export function expectRequest(
  harness: AgentHarness,
  asked: Asked,
  expected: ExpectedRequest = { kind: "other" },
): void {
  const { directory } = harness;
  expectAboutCall(harness, asked);
  expect(asked.kind, JSON.stringify(asked)).toBe(expected.kind);
  if (expected.files) expect(asked.paths).toEqual(expected.files.map((file) => join(directory, file)));
  const diff = asked.diff?.split("\n") ?? [];
  for (const line of expected.diff ?? []) expect(diff).toContain(line);
  if (expected.command !== undefined) {
    expect(asked).toMatchObject({ command: expected.command, cwd: directory });
    expect(asked.action).toContain(expected.command);
  }
  if (expected.url !== undefined) {
    expect(asked.url).toBe(expected.url);
    expect(asked.action).toContain(expected.url);
  }
  if (expected.mcp) expectMcpTool(asked, expected.mcp);
}

function expectMcpTool(asked: Asked, { server, tool }: NonNullable<ExpectedRequest["mcp"]>): void {
  expect(asked.mcp_server).toBe(server);
  expect(describeToolCall(asked.tool ?? "", {}, { mcpServers: [server] }).mcpTool).toBe(tool);
  expect(asked.action).toContain(tool);
}
