import { join } from "node:path";
import { expect, test } from "vitest";
import { madeHome } from "../../credentials/__fixtures__/made-home.ts";
import { codexHome, hasLogin, keyVariable } from "./credentials.ts";

test("the user's home is where it was moved to", () => {
  expect(codexHome({ HOME: "/h" })).toBe("/h/.codex");
  expect(codexHome({ HOME: "/h", CODEX_HOME: "/moved" })).toBe("/moved");
});

test("a key has two names", () => {
  expect(keyVariable({ OPENAI_API_KEY: "a", CODEX_API_KEY: "b" })).toBe("CODEX_API_KEY");
  expect(keyVariable({})).toBeUndefined();
});

test("a login is what is still good for something", async () => {
  const login = (content: unknown) => hasLogin(join(madeHome({ "auth.json": content })));
  const old = `e30.${Buffer.from('{"exp":1}').toString("base64url")}.x`;
  expect(await login({})).toBe(false);
  expect(await login({ OPENAI_API_KEY: "k" })).toBe(true);
  expect(await login({ tokens: { access_token: old } })).toBe(false);
  expect(await login({ tokens: { access_token: old, refresh_token: "r" } })).toBe(true);
});
