import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { PermissionRequests, type RequestsOptions } from "./permission-requests.ts";

const touch = { tool: "shell_command", input: { command: "touch a" } };
const patient = new AbortController().signal;

function make(options: Partial<RequestsOptions> = {}) {
  const drafts: EventDraft[] = [];
  const remembered: unknown[] = [];
  const requests = new PermissionRequests({
    mode: "default",
    setting: { directory: "/w", home: "/home/ada", mcpServers: ["loud"] },
    idPrefix: "p",
    calls: () => new Map(),
    isAsking: () => true,
    emit: (more) => drafts.push(...more),
    memory: undefined,
    remember: (value) => remembered.push(value),
    ...options,
  });
  return { requests, drafts, remembered };
}

test("a person is asked and decides", async () => {
  const { requests, drafts } = make();
  const answers = [requests.ask(touch, patient), requests.ask(touch, patient)];
  expect(drafts).toMatchObject([
    { type: "permission.requested", data: { permission_id: "p1", action: "Run the command touch a" } },
    { type: "permission.requested", data: { permission_id: "p2", metadata: { tool: "shell_command" } } },
  ]);
  requests.answer("p2", "once");
  requests.answer("p1", "reject");
  requests.answer("p1", "once");
  expect(await Promise.all(answers)).toEqual([{ refuse: expect.stringContaining("rejected") }, "allow"]);
});

test.each([
  [
    { tool: "mcp__loud__shout", input: { text: "a" } },
    { kind: "mcp", mcp_server: "loud" },
  ],
  [
    { tool: "loud_shout", input: { text: "a" } },
    { kind: "mcp", mcp_server: "loud" },
  ],
  [
    { tool: "create_file", input: { path: "~/a", content: "b" } },
    { kind: "edit", paths: ["/home/ada/a"] },
  ],
  [touch, { kind: "execute", command: "touch a", cwd: "/w" }],
])("%j is asked about as %j", (use, about) => {
  const { requests, drafts } = make();
  void requests.ask(use, patient);
  expect(drafts).toMatchObject([{ type: "permission.requested", data: { tool: use.tool, ...about } }]);
});

test("always is for this use and this session, and for the process after the next start", async () => {
  const { requests, drafts, remembered } = make();
  const first = requests.ask(touch, patient);
  requests.answer("p1", "always");
  expect(await first).toBe("allow");
  expect(await requests.ask(touch, patient)).toBe("allow");
  void requests.ask({ ...touch, input: { command: "touch b" } }, patient);
  expect(drafts.map(({ type }) => type)).toEqual([
    "permission.requested",
    "permission.resolved",
    "permission.requested",
  ]);
  const passed = { resolved_by: "remembered", reply: "always", kind: "execute", command: "touch a" };
  expect(drafts[1]?.data).toMatchObject(passed);
  expect(JSON.stringify(remembered)).not.toContain("touch");
  expect(await make({ memory: remembered.at(-1) }).requests.ask(touch, patient)).toBe("allow");
});

test("a memory that makes no sense is none", () => {
  const { requests, drafts } = make({ memory: { allowed: "all" } });
  void requests.ask(touch, patient);
  expect(drafts).toHaveLength(1);
});

test("two calls that are the same are told apart", () => {
  const call = { itemId: "i", name: "shell_command", input: touch.input, arguments: "" };
  const { requests, drafts } = make({
    calls: () =>
      new Map([
        ["a", call],
        ["b", call],
      ]),
  });
  void requests.ask(touch, patient);
  void requests.ask(touch, patient);
  expect(drafts).toMatchObject([{ data: { metadata: { call_id: "a" } } }, { data: { metadata: { call_id: "b" } } }]);
});

test("when Amp no longer waits the request is withdrawn", () => {
  const { requests, drafts } = make();
  const gone = new AbortController();
  void requests.ask(touch, gone.signal);
  gone.abort();
  expect(drafts[1]).toMatchObject({ type: "permission.resolved", data: { permission_id: "p1", status: "denied" } });
});

test("after the turn nobody is asked, and who waited is refused", async () => {
  const { requests, drafts } = make();
  const waiting = requests.ask(touch, patient);
  requests.endTurn();
  expect(await waiting).toHaveProperty("refuse");
  const over = make({ isAsking: () => false });
  expect(await over.requests.ask(touch, patient)).toHaveProperty("refuse");
  expect([...drafts, ...over.drafts]).toHaveLength(1);
});
