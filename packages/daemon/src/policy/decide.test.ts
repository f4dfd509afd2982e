/** Feared: something that a rule denies is done all the same, because it was written in another way. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode, PermissionPolicy, PermissionRequestedData, PolicyRule } from "@sandbox-agent-ts/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { type Decision, decide } from "./decide.ts";

const home = temporaryDirectory(afterAll);
const directory = join(home, "project");
for (const name of ["src", "secret", "src/deep"]) mkdirSync(join(directory, name), { recursive: true });
writeFileSync(join(directory, "secret/key"), "");
writeFileSync(join(directory, "src/a.ts"), "");
symlinkSync(join(directory, "secret"), join(directory, "src/link"));
symlinkSync(join(directory, "secret/new"), join(directory, "src/dangling"));
symlinkSync(join(directory, "src/deep"), join(directory, "down"));

type About = Partial<PermissionRequestedData>;

function judge(
  rules: readonly PolicyRule[],
  about: About,
  more: Partial<PermissionPolicy> & { mode?: PermissionMode } = {},
): Decision {
  const { mode = "default", ...policy } = more;
  const request: PermissionRequestedData = { permission_id: "p", action: "", status: "requested", ...about };
  return decide({ rules: [...rules], ...policy }, request, { directory, home, permissionMode: mode });
}

const actionOf = (...judged: Parameters<typeof judge>) => judge(...judged).action;
const edit = (...paths: string[]): About => ({ kind: "edit", tool: "Edit", paths });
const run = (command: string): About => ({ kind: "execute", tool: "Bash", command, cwd: directory });

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

describe("a denied command", () => {
  const rules: PolicyRule[] = [{ action: "deny", commands: "rm *" }];
  it.each([
    "rm x",
    "rm",
    "r'm' -rf x",
    '"rm" x',
    "\\rm x",
    "r\\\nm x",
    "$'\\x72m' x",
    "RM x",
    "/bin/rm x",
    "../../bin/rm x",
    "rm.exe x",
    "command rm x",
    "env rm x",
    "env -i A=1 rm x",
    "sudo -u root rm x",
    "nice -n 5 rm x",
    "busybox rm x",
    "FOO=1 rm x",
    "FOO=1 env BAR=2 /bin/rm x",
    "sh -c 'rm x'",
    'bash -lc "cd a && rm x"',
    "sudo sh -c 'rm x'",
    "eval 'rm x'",
    "eval rm x",
    "a && rm b",
    "a || rm b",
    "a; rm b",
    "a | rm b",
    "a & rm b",
    "a\nrm b",
    "(rm b)",
    "{ rm b; }",
    "! rm b",
    "time rm b",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    "a=$(rm x)",
    "diff <(rm x) y",
    "cat <<E\n$(rm x)\nE",
    "if rm x; then y; fi",
    "for f in a b; do rm $f; done",
    "f() { rm x; }; f",
    "case a in a) rm x;; esac",
    "[[ $(rm x) ]]",
    "((a=$(rm x)))",
    "((rm x))",
    "ls | xargs rm",
    "find . -exec rm {} \\;",
    "timeout 5 rm x",
    "nohup rm x &",
    "$SUDO rm x",
    "\trm\tx",
  ])("is denied in %j", (command) => {
    expect(actionOf(rules, run(command), { mode: "bypass" })).toBe("deny");
  });

  it.each([
    "$CMD x",
    "r$@m x",
    `r$\{x}m y`,
    "{rm,-rf,x}",
    "/bin/r? x",
    "/bin/r[m] x",
    "echo rm x | sh",
    "bash <<< 'rm x'",
    "bash <<E\nrm x\nE",
    "`echo rm` x",
    "$(echo rm) x",
    'eval "$X"',
    'sh -c "$X"',
    "source x",
    ". x",
    'rm "x',
    "pwsh -Command 'rm x'",
    "bash -s < x",
    "alias a=rm; a x",
    "env $X",
  ])("is asked about where only the shell knows it: %j", (command) => {
    expect(actionOf(rules, run(command), { mode: "bypass" })).not.toBe("allow");
  });

  it.each([
    "ls",
    "npm test",
    "echo rm x",
    "grep rm file",
    "git rm x",
    "rmdir x",
    "ls # rm x",
    "echo 'a; rm x'",
    "npm run rm",
    "FORM=rm ls",
  ])("is not seen in %j", (command) => {
    expect(actionOf(rules, run(command), { mode: "bypass" })).toBe("allow");
  });

  it("is asked about when other words are between its own", () => {
    const push: PolicyRule[] = [{ action: "deny", commands: "git push*" }];
    expect(actionOf(push, run("git push --force"), { mode: "bypass" })).toBe("deny");
    expect(actionOf(push, run("git -C . push"), { mode: "bypass" })).toBe("ask");
    expect(actionOf(push, run("git add ."), { mode: "bypass" })).toBe("allow");
  });
});

describe("an allowed command", () => {
  const rules: PolicyRule[] = [
    { action: "allow", commands: ["npm test *", "ls *"] },
    { action: "allow", commands: "git diff*" },
  ];
  it.each([
    "npm test",
    "npm test -- a b",
    "'npm' test",
    "npm test && git diff",
    "ls src/*.ts | ls",
    "ls > /dev/null 2>&1",
  ])("is %j", (command) => {
    expect(actionOf(rules, run(command))).toBe("allow");
  });
  it.each([
    "npm testing",
    "npm test; rm x",
    "npm test $(rm x)",
    "npm test `rm x`",
    "npm test $X",
    "sudo npm test",
    "/tmp/npm test",
    "PATH=/tmp npm test",
    "PATH=/tmp; npm test",
    "npm test > ../out",
    "npm test > $X",
    "NPM test",
    "npm test <(rm x)",
    'npm test "',
    "npm() { rm x; }; npm test",
    "ls {a,b}",
    "npm test &> x",
  ])("is not %j", (command) => {
    expect(actionOf(rules, run(command))).toBe("ask");
  });
  it("may write where edits are allowed", () => {
    const both: PolicyRule[] = [...rules, { action: "allow", kind: "edit", paths: "src/**" }];
    expect(actionOf(both, run("npm test > src/out"))).toBe("allow");
    expect(actionOf(both, run("npm test > out"))).toBe("ask");
  });
});

describe("files in commands", () => {
  const rules: PolicyRule[] = [
    { action: "deny", kind: "edit", paths: "secret/**" },
    { action: "deny", kind: "delete" },
    { action: "deny", kind: "read", paths: "**/.env" },
  ];
  it.each([
    "echo x > secret/key",
    "echo x >> src/link/key",
    "echo x >| secret/key",
    "ls &> secret/o",
    "{ ls; } > secret/o",
    "echo | tee secret/key",
    "sudo tee secret/x",
    "touch secret/x",
    "rm src/a.ts",
    "unlink x",
  ])("are denied where they are seen: %j", (command) => {
    expect(actionOf(rules, run(command), { mode: "bypass" })).toBe("deny");
  });
  it.each(["cat .env", "sed -i s/a/b/ secret/key", "cp a --target-directory=secret", "echo x > $F", "cat < .env"])(
    "are asked about where they are named: %j",
    (command) => {
      expect(actionOf(rules, run(command), { mode: "bypass" })).not.toBe("allow");
    },
  );
  it("leave other commands alone", () => {
    expect(actionOf(rules, run("npm test > out"), { mode: "bypass" })).toBe("allow");
  });
});
