import { expect, test } from "vitest";
import { authorizationFor } from "./registry-authorization.ts";

const settings = {
  "//host.example/:_authToken": "wide",
  "//host.example/private/:_authToken": "narrow",
  "//host.example:8080/:_auth": "dXNlcjpwYXNz",
  "//pair.example/npm/:username": "me",
  "//pair.example/npm/:_password": Buffer.from("päss").toString("base64"),
};

test.each([
  ["https://host.example/tool", "Bearer wide"],
  ["http://host.example/deep/er/tool.tgz?x=1", "Bearer wide"],
  ["https://host.example/private/tool", "Bearer narrow"],
  ["https://host.example/private-not/tool", "Bearer wide"],
  ["https://host.example:8080/tool", "Basic dXNlcjpwYXNz"],
  ["https://pair.example/npm/tool", `Basic ${Buffer.from("me:päss").toString("base64")}`],
  ["https://pair.example/tool", undefined],
  ["https://evil-host.example/tool", undefined],
  ["https://host.example.evil.example/tool", undefined],
])("%s gets %s", (url, header) => {
  expect(authorizationFor(url, settings)).toBe(header);
});
