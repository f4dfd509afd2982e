/** Feared: a command that a rule denies runs all the same, because it was written in another way. */
import type { PolicyRule } from "@sandbox-agent-ts/protocol";
import { describe, expect, it } from "vitest";
import { actionOf, run } from "./__fixtures__/judge.ts";

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
