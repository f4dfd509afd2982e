import { expect, test } from "vitest";
import { readVercelSettings } from "./vercel-settings.ts";

const given = { token: "t", teamId: "team_1", projectId: "prj_1" };
const claims = Buffer.from(JSON.stringify({ owner_id: "team_2", project_id: "prj_2" })).toString("base64url");
const oidc = `head.${claims}.signature`;

test("a token with its team and its project is enough", () => {
  expect(readVercelSettings(given, {})).toEqual({
    account: given,
    apiUrl: undefined,
    image: undefined,
    programs: "upload",
    root: "/vercel/sandbox/sandbox-agent",
    lifeMs: 900_000,
    region: undefined,
  });
  const env = { VERCEL_TOKEN: "t", VERCEL_TEAM_ID: "team_1", VERCEL_PROJECT_ID: "prj_1", VERCEL_OIDC_TOKEN: oidc };
  expect(readVercelSettings({}, env).account).toEqual(given);
});

test("the token of a linked project names both", () => {
  const env = { VERCEL_OIDC_TOKEN: oidc };
  expect(readVercelSettings({}, env).account).toEqual({ token: oidc, teamId: "team_2", projectId: "prj_2" });
  expect(() => readVercelSettings({}, { VERCEL_OIDC_TOKEN: "none" })).toThrow(/VERCEL_OIDC_TOKEN.*vercel env pull/);
});

test("what is missing is said, with where it is from", () => {
  expect(() => readVercelSettings({}, {})).toThrow(/VERCEL_TOKEN.*VERCEL_TEAM_ID.*VERCEL_PROJECT_ID.*vercel env pull/);
  expect(() => readVercelSettings({ token: "s3cret" }, {})).toThrow(/^(?!.*s3cret).*VERCEL_TEAM_ID/);
});

test("sandboxes that bring everything themselves need something to be made of", () => {
  expect(() => readVercelSettings({ ...given, programs: "image" }, {})).toThrow(/needs image.*snapshot:/);
  const image = "snapshot:snap_1";
  expect(readVercelSettings({ ...given, programs: "image", image }, {}).image).toBe(image);
});
