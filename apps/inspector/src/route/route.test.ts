import { expect, test } from "vitest";
import { formatRoute, parseRoute, type Route } from "./route.ts";

test.each<Route>([
  { page: "home" },
  { page: "agents" },
  { page: "requests" },
  { page: "session", sessionId: "a", tab: "conversation" },
  { page: "session", sessionId: "team/one #2 %", tab: "events" },
  { page: "session", sessionId: "ü", tab: "files" },
])("%j survives its address", (route) => {
  expect(parseRoute(formatRoute(route))).toEqual(route);
});

test.each(["", "#", "#/", "#/nowhere", "#/sessions", "#/sessions/"])("%j is home", (hash) => {
  expect(parseRoute(hash)).toEqual({ page: "home" });
});

test("an address cut in half does no harm", () => {
  expect(parseRoute("#/sessions/%E0%A4/nonsense")).toEqual({
    page: "session",
    sessionId: "%E0%A4",
    tab: "conversation",
  });
});
