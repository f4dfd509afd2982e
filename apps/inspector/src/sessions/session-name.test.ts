import type { SessionInfo } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { matchesSearch, sessionName } from "./session-name.ts";

const session = {
  sessionId: "s-1",
  title: "Fix the build",
  agent: "some-agent",
  status: "idle",
  directory: "/srv/app",
};

test.each([
  ["", true],
  ["fix", true],
  ["BUILD agent", true],
  ["srv idle", true],
  ["fix nothing", false],
])("searching for %j finds it: %s", (search, found) => {
  expect(matchesSearch(session as SessionInfo, search)).toBe(found);
});

test("a session without a title is called by its id", () => {
  expect(sessionName({ sessionId: "s", title: " " })).toBe("s");
  expect(sessionName({ sessionId: "s", title: "T" })).toBe("T");
});
