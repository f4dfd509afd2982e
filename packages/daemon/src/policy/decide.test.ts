/** Feared: something that a rule denies is done all the same, because it was written in another way. */
import { join } from "node:path";
import type { PolicyRule } from "@sandbox-agent-ts/protocol";
import { describe, expect, it } from "vitest";
import { type About, actionOf, directory, edit, judge, run } from "./__fixtures__/judge.ts";

describe("the first rule that fits", () => {
  const rules: PolicyRule[] = [
    { action: "deny", kind: "edit", paths: "src/gen/**", reason: "Generated." },
    { action: "allow", kind: ["edit", "read"], paths: ["src/**", "docs"] },
    { action: "deny", kind: "edit" },
  ];

  it("decides, and is told with its reason", () => {
    expect(judge(rules, edit("src/gen/a.ts"))).toEqual({ action: "deny", rule: 0, reason: "Generated." });
    expect(judge(rules, edit(join(directory, "src/b.ts")))).toEqual({ action: "allow", rule: 1 });
    expect(judge(rules, edit("docs/page.mdx"))).toEqual({ action: "allow", rule: 1 });
    expect(judge(rules, edit("package.json"))).toEqual({ action: "deny", rule: 2 });
  });

  it("decides each file by itself: the strictest counts", () => {
    expect(actionOf(rules, edit("src/a.ts", "docs/b"))).toBe("allow");
    expect(actionOf(rules, edit("src/a.ts", "src/gen/b"))).toBe("deny");
    expect(
      actionOf(
        [
          { action: "allow", paths: "src/a.ts" },
          { action: "allow", paths: "docs" },
        ],
        edit("src/a.ts", "docs/b"),
      ),
    ).toBe("allow");
  });

  it("is none: `otherwise`, else the permission mode", () => {
    const read = { kind: "fetch", url: "http://x" } as const;
    expect(actionOf(rules, read)).toBe("ask");
    expect(actionOf(rules, read, { otherwise: "deny" })).toBe("deny");
    expect(actionOf(rules, read, { mode: "bypass" })).toBe("allow");
    expect(actionOf([], { kind: "read", paths: ["src/a.ts"] })).toBe("allow");
    expect(actionOf([], { kind: "read", paths: ["."] })).toBe("allow");
    expect(actionOf([], { kind: "read", paths: ["src/a.ts", "../x"] })).toBe("ask");
    expect(actionOf([], { kind: "read", paths: ["src/a.ts"] }, { otherwise: "ask" })).toBe("ask");
    expect(actionOf([], edit("x"), { mode: "acceptEdits" })).toBe("allow");
    expect(actionOf([], edit("../x"), { mode: "acceptEdits" })).toBe("ask");
    expect(actionOf([], edit("src/link/x"), { mode: "acceptEdits" })).toBe("allow");
    expect(actionOf([], run("ls"), { mode: "acceptEdits" })).toBe("ask");
    expect(actionOf([{ action: "allow" }], edit("x"), { mode: "plan" })).toBe("deny");
    expect(actionOf([{ action: "allow" }], { kind: "read", paths: ["x"] }, { mode: "plan" })).toBe("allow");
  });

  it("holds in every mode", () => {
    for (const mode of ["default", "plan", "acceptEdits", "bypass"] as const) {
      expect(actionOf(rules, edit("src/gen/x"), { mode })).toBe("deny");
    }
  });
});

describe("names", () => {
  const rules: PolicyRule[] = [
    { action: "deny", mcpServers: "prod-*" },
    { action: "deny", tools: "Web*" },
    { action: "allow", kind: ["mcp", "fetch"] },
  ];
  it("of MCP servers and tools", () => {
    expect(actionOf(rules, { kind: "mcp", mcp_server: "Prod-db", tool: "query" })).toBe("deny");
    expect(actionOf(rules, { kind: "mcp", mcp_server: "test-db", tool: "query" })).toBe("allow");
    expect(actionOf(rules, { kind: "mcp", tool: "query" })).toBe("ask");
    expect(actionOf(rules, { kind: "fetch", tool: "WebFetch", url: "http://x" })).toBe("deny");
    expect(actionOf(rules, { kind: "fetch", tool: "fetch" })).toBe("allow");
  });
});

describe("what is not known is never allowed in silence", () => {
  it.each([
    ["paths", { kind: "edit" }, { kind: "edit", paths: "**/*.env" }],
    ["a command", { kind: "execute" }, { kind: "execute", commands: "rm *" }],
    ["a kind", { tool: "x" }, { kind: "edit" }],
    ["a file of another process", edit("/proc/self/cwd/x"), { paths: "secret/**" }],
    ["somebody's home", edit("~root/x"), { paths: "/root/**" }],
  ] as const)("%s", (_, about, rule) => {
    expect(actionOf([{ action: "allow", ...rule } as PolicyRule], about as About)).toBe("ask");
    expect(actionOf([{ action: "deny", ...rule } as PolicyRule], about as About, { otherwise: "allow" })).toBe("ask");
  });
});

describe("a denied file", () => {
  const rules: PolicyRule[] = [{ action: "deny", kind: "edit", paths: "secret/**" }];
  it.each([
    "secret/key",
    "./secret/key",
    "src/../secret/key",
    "src//..//secret///key",
    join(directory, "secret/key"),
    "~/project/secret/key",
    "SECRET/Key",
    "secret/key/",
    "src/link/key",
    "src/link/not-there-yet",
    "src/dangling",
    "down/../../secret/key",
    `file://${directory}/secret/key`,
    `FILE://${directory}/secret/k%65y`,
    "secret\\key",
    "src\\..\\secret\\key",
    '"secret/key"',
    " secret/key ",
    `/proc/self/root${directory}/secret/key`,
    "secret",
  ])("is denied as %s", (path) => {
    expect(actionOf(rules, edit(path), { mode: "bypass" })).not.toBe("allow");
    expect(actionOf(rules, edit("src/a.ts", path), { otherwise: "allow" })).not.toBe("allow");
  });

  it("is denied in either Unicode form", () => {
    const composed: PolicyRule[] = [{ action: "deny", paths: "caf\u00e9/**" }];
    expect(actionOf(composed, edit("cafe\u0301/x"), { mode: "bypass" })).toBe("deny");
  });

  it("is denied by its other name: a pattern may lead through a symlink", () => {
    const byLink: PolicyRule[] = [{ action: "deny", paths: "src/link/**" }];
    expect(actionOf(byLink, edit("secret/key"), { mode: "bypass" })).toBe("deny");
  });

  it("is not deleted together with its directory", () => {
    const keep: PolicyRule[] = [{ action: "deny", paths: "secret/key" }];
    expect(actionOf(keep, { kind: "delete", paths: ["secret"] }, { mode: "bypass" })).toBe("ask");
    expect(actionOf(keep, { kind: "delete", paths: ["src"] }, { mode: "bypass" })).toBe("allow");
  });
});

describe("an allowed directory", () => {
  const rules: PolicyRule[] = [{ action: "allow", kind: "edit", paths: "src/**" }];
  it.each(["src/a.ts", "./src/./b/c", join(directory, "src/x"), "src/deep/../y"])("has %s", (path) => {
    expect(actionOf(rules, edit(path))).toBe("allow");
  });
  it.each(["src/../secret/key", "src/link/key", "SRC/a.ts", "srcs/a", "src/dangling", "down/../../x", "src\\..\\x"])(
    "has not %s",
    (path) => {
      expect(actionOf(rules, edit(path))).toBe("ask");
    },
  );
  it("can be all but", () => {
    const outside: PolicyRule[] = [{ action: "deny", kind: "edit", paths: "!src/**" }];
    expect(actionOf(outside, edit("src/a.ts"), { mode: "bypass" })).toBe("allow");
    for (const path of ["a.ts", "/etc/passwd", "src/link/key", "../x", "SRC/a.ts"]) {
      expect(actionOf(outside, edit(path), { mode: "bypass" }), path).toBe("deny");
    }
  });
});
