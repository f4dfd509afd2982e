import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseNpmrc, readNpmSettings, settingsFromEnvironment } from "./npmrc.ts";

const variable = (name: string) => `$\{${name}}`;

test("an .npmrc is lines of key = value, with comments, quotes and variables of the environment", () => {
  const text = [
    "; a comment",
    "# registry=http://commented.example/",
    "registry = http://plain.example/  ",
    "@scope:registry=http://scope.example/npm/",
    `//plain.example/:_authToken=${variable("TOKEN")}`,
    '//quoted.example/:_authToken="a=b;c"',
    `//missing.example/:_authToken=${variable("NOT_SET")}`,
    `//optional.example/:_authToken=${variable("NOT_SET?")}`,
    "[section]",
    "always-auth",
    "",
  ].join("\r\n");
  expect(parseNpmrc(text, { TOKEN: "secret" })).toEqual({
    registry: "http://plain.example/",
    "@scope:registry": "http://scope.example/npm/",
    "//plain.example/:_authToken": "secret",
    "//quoted.example/:_authToken": "a=b;c",
    "//missing.example/:_authToken": variable("NOT_SET"),
    "//optional.example/:_authToken": "",
  });
});

test("npm's variables are settings, however they are spelled", () => {
  const env = {
    NPM_CONFIG_REGISTRY: "http://upper.example/",
    "npm_config_@scope:registry": "http://scope.example/",
    "npm_config_//host.example/:_authToken": "t",
    npm_config_fetch_retries: "1",
    npm_config_empty: "",
    PATH: "/bin",
  };
  expect(settingsFromEnvironment(env)).toEqual({
    registry: "http://upper.example/",
    "@scope:registry": "http://scope.example/",
    "//host.example/:_authToken": "t",
    "fetch-retries": "1",
  });
});

test("the environment stands above the first file, and that above the next; a file that is not there is empty", () => {
  const directory = mkdtempSync(join(tmpdir(), "npmrc-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [project, user] = [join(directory, "project"), join(directory, "user")];
  writeFileSync(project, "b=project\nc=project\n");
  writeFileSync(user, "a=user\nb=user\nc=user\n");
  const settings = readNpmSettings([project, join(directory, "nowhere"), user], { npm_config_c: "environment" });
  expect(settings).toEqual({ a: "user", b: "project", c: "environment" });
});
