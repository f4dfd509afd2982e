import { expect, test } from "vitest";
import { plainCommand } from "./plain-command.ts";

test.each([
  ["/bin/bash -lc 'npm test'", "npm test"],
  ["/usr/bin/zsh -lc ls", "ls"],
  [`bash -c "echo it's"`, "echo it's"],
  ["/bin/bash -lc 'a\nb'", "a\nb"],
  [`/bin/bash -lc 'echo '"'"'x'"'"''`, "echo 'x'"],
  ['/bin/bash -lc "echo \\"$HOME\\" \\\\ \\$1"', 'echo "$HOME" \\ $1'],
  ["/bin/bash -lc ''", ""],
])("%s is %s", (wrapped, plain) => {
  expect(plainCommand(wrapped)).toBe(plain);
});

test.each(["/bin/bash -lc 'a' 'b'", "python -c 'print(1)'", "/bin/bash -lc 'not closed", "npm test", ""])(
  "%s stays as it is",
  (command) => {
    expect(plainCommand(command)).toBe(command);
  },
);
