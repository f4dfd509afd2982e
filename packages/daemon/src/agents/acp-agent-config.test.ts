/** Feared: a typo in the configuration that is found out by the first session, or an agent that hides another. */
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { parseAcpAgents } from "./acp-agent-config.ts";

const whole = {
  id: "my-agent",
  name: "My Agent",
  command: "/opt/my-agent",
  args: ["acp"],
  env: { MY_KEY: "k" },
  quirks: {
    signIn: "key",
    permissionModes: { default: "ask", bypass: null },
    remembersNarrowly: true,
    reopensBy: "load",
    ignoresEof: true,
    offers: { files: true },
  },
};

test("everything that can be said is taken as it is, and all but the command has a default", () => {
  const small = { id: "small", command: "small" };
  expect(parseAcpAgents([whole, small], ["other"])).toEqual([whole, small]);
});

test.each([
  [
    { ...whole, id: "My Agent" },
    `Custom agent "My Agent" is wrong: \`id\` must be lower case letters, digits and dashes`,
  ],
  [{ ...whole, id: "-x" }, "`id` must be lower case"],
  [{ ...whole, id: "../up" }, "`id` must be lower case"],
  [{ ...whole, id: "a".repeat(64) }, "`id` "],
  [{ command: "x" }, "Custom agent number 1 is wrong: `id`"],
  [{ id: "x" }, 'Custom agent "x" is wrong: `command` is missing'],
  [{ id: "x", command: "" }, "`command` is empty"],
  [{ id: "x", command: "./x" }, "`command` must be a name on PATH or an absolute path"],
  [{ id: "x", command: "x", args: "acp" }, "`args` "],
  [{ id: "x", command: "x", env: { A: 1 } }, "`env.A` "],
  [{ id: "x", command: "x", arguments: [] }, "arguments"],
  [{ id: "x", command: "x", quirks: { signin: "y" } }, "signin"],
  [{ id: "x", command: "x", quirks: { permissionModes: { yolo: "y" } } }, "yolo"],
  ["goose", "Custom agent number 1 is wrong"],
  [{ ...whole, id: "other" }, 'The custom agent "other" is an agent that is built in. Choose another id.'],
])("%j is refused with a sentence that names what is wrong", (configured, words) => {
  const parse = () => parseAcpAgents([configured], ["other"]);
  expect(parse).toThrow(SandboxError);
  expect(parse).toThrow(words);
});

test("an id that is there twice is refused", () => {
  expect(() => parseAcpAgents([whole, { ...whole, command: "y" }], [])).toThrow(
    'The custom agent "my-agent" is configured twice. Choose another id.',
  );
});
