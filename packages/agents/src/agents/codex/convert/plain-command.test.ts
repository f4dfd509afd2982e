import { expect, test } from "vitest";
import { plainCommand } from "./plain-command.ts";

test.each([
  ["/bin/bash -lc 'npm test'", "npm test"],
  ["/usr/bin/zsh -lc ls", "ls"],
  ['bash -c "echo it\'s"', "echo it's"],
  ["/bin/bash -lc 'a\nb'", "a\nb"],
])("%s is %s", (wrapped, plain) => {
  expect(plainCommand(wrapped)).toBe(plain);
});

test.each([
  `/bin/bash -lc 'echo '"'"'x'"'"''`,
  '/bin/bash -lc "echo $HOME"',
  "/bin/bash -lc 'a' 'b'",
  "python -c 'print(1)'",
])("%s stays as it is", (command) => {
  expect(plainCommand(command)).toBe(command);
});
