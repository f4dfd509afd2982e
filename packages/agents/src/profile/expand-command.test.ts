import { expect, test } from "vitest";
import { expandCommand } from "./expand-command.ts";

const commands = {
  light: { prompt: "Light the $1 lamp of the $2 tower. ($ARGUMENTS)" },
  rest: { prompt: "Go to sleep." },
};

test.each([
  ["/light big north", "Light the big lamp of the north tower. (big north)"],
  ["/light", "Light the  lamp of the  tower. ()"],
  ["  /light a\tb\n", "Light the a lamp of the b tower. (a\tb)"],
  ["/rest", "Go to sleep."],
  ["/rest until dawn\nand longer", "Go to sleep.\n\nuntil dawn\nand longer"],
  ["/light $1 $& $ARGUMENTS", "Light the $1 lamp of the $& tower. ($1 $& $ARGUMENTS)"],
])("%j becomes %j", (message, told) => {
  expect(expandCommand(message, commands)).toBe(told);
});

test.each(["/unknown x", "say /light", "/light/dark", "/toString", "hello", ""])("%j stays as it is", (message) => {
  expect(expandCommand(message, commands)).toBe(message);
  expect(expandCommand(message)).toBe(message);
});
