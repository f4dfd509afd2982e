import { expect, test } from "vitest";
import { readModalSettings } from "./modal-settings.ts";

const token = { tokenId: "ak-1", tokenSecret: "as-1" };

test("a token is enough", () => {
  const expected = {
    ...token,
    serverUrl: undefined,
    environment: undefined,
    app: "sandbox-agent",
    image: "node:22-bookworm",
    registrySecret: undefined,
    programs: "upload",
    root: "/home/user/sandbox-agent",
    user: 1000,
    lifeMs: 86_400_000,
    access: "token",
  };
  expect(readModalSettings(token, {})).toEqual(expected);
  expect(readModalSettings({}, { MODAL_TOKEN_ID: "ak-1", MODAL_TOKEN_SECRET: "as-1" })).toEqual(expected);
});

test("what is missing is said, with where it is from", () => {
  expect(() => readModalSettings({}, {})).toThrow(/MODAL_TOKEN_ID.*modal token new/);
  expect(() => readModalSettings({ tokenId: "s3cret" }, {})).toThrow(/^(?!.*s3cret).*MODAL_TOKEN_SECRET/);
  expect(() => readModalSettings({ ...token, programs: "image" }, {})).toThrow(/programs=image.*image names/);
});

test("what Modal would refuse is refused before", () => {
  expect(() => readModalSettings({ ...token, lifeMs: 86_400_001 }, {})).toThrow(/at most 24 hours/);
  expect(() => readModalSettings({ ...token, lifeMs: 500 }, {})).toThrow(/lifeMs is a number from 1000 on/);
  expect(() => readModalSettings({ ...token, user: "1.5" }, {})).toThrow(/user is the number of a user/);
  expect(() => readModalSettings({ ...token, access: "open" }, {})).toThrow(/access is one of token, tunnel/);
});

test("flags of the command line are text", () => {
  expect(readModalSettings({ ...token, user: "0", lifeMs: "3600000" }, {})).toMatchObject({
    user: 0,
    lifeMs: 3_600_000,
  });
});
