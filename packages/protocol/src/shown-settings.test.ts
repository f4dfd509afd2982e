import { expect, test } from "vitest";
import { shownServers, shownSkills } from "./shown-settings.ts";

test("secrets of servers are not shown; what is needed to know them is", () => {
  const servers = shownServers({
    local: { type: "local", command: "npx", args: ["x"], env: { KEY: "secret" } },
    remote: {
      type: "remote",
      url: "https://me:secret@example.com/mcp?key=secret&empty=",
      headers: { Authorization: "secret" },
      bearerTokenEnvVar: "NAME",
      envHeaders: { "X-Key": "NAME" },
    },
  });
  expect(JSON.stringify(servers)).not.toContain("secret");
  expect(servers).toMatchObject({
    local: { command: "npx", args: ["x"], env: { KEY: "[hidden]" } },
    remote: { url: "https://example.com/mcp?key=[hidden]&empty=[hidden]", envHeaders: { "X-Key": "NAME" } },
  });
});

test("passwords of repositories are not shown", () => {
  const sources = [
    { type: "git", source: "https://me:secret@example.com/a.git" },
    { type: "github", source: "owner/name" },
  ] as const;
  expect(shownSkills({ sources: [...sources] }).sources.map(({ source }) => source)).toEqual([
    "https://example.com/a.git",
    "owner/name",
  ]);
});
