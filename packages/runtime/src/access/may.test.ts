import { describe, expect, it } from "vitest";
import { type Action, actions, ensureMay, may } from "./may.ts";
import type { Principal } from "./principal.ts";

const session = { sessionId: "s", uid: "u1", owner: "ann" };
const ann = (scope: Principal["scope"]): Principal => ({ principal: "ann", scope });
const bob = (scope: Principal["scope"]): Principal => ({ principal: "bob", scope });
const token = (scope: "read" | "write", of = { sessionId: "s", uid: "u1" }): Principal => ({
  principal: "ann",
  scope,
  session: of,
});
const all = Object.keys(actions) as Action[];
const allowedTo = (principal: Principal) => all.filter((action) => may(principal, action, session) === "allowed");

describe("what a principal may do with a session", () => {
  it("is by scope where it is the owner", () => {
    const reads = ["agents:read", "sessions:list", "session:read", "profiles:read", "runtime:observe"];
    expect(allowedTo(ann("read"))).toEqual(reads);
    expect(allowedTo(ann("write"))).toEqual(all.filter((action) => actions[action].scope !== "admin"));
    expect(all.filter((action) => may(ann("write"), action) !== "allowed")).toEqual([
      "profiles:write",
      "runtime:admin",
    ]);
    expect(allowedTo(ann("admin"))).toEqual(all);
  });

  it.each(all)("is nothing where it is somebody else's, whatever the scope: %s", (action) => {
    expect([may(bob("read"), action, session), may(bob("write"), action, session)]).toEqual(["hidden", "hidden"]);
    expect(may(bob("admin"), action, session)).toBe("allowed");
  });

  it("is to use that one with a session token, and no more", () => {
    expect(allowedTo(token("read"))).toEqual(["agents:read", "session:read"]);
    expect(allowedTo(token("write"))).toEqual(["agents:read", "session:read", "session:write"]);
    for (const other of [
      { sessionId: "t", uid: "u1" },
      { sessionId: "s", uid: "u0" },
    ]) {
      expect(allowedTo(token("write", other))).toEqual([]);
      expect(may(token("write", other), "session:read", session)).toBe("hidden");
    }
  });

  it("is told with a sentence that says what to do, and a 404 for what is hidden", () => {
    const refused = (principal: Principal, action: Action) => () => ensureMay(principal, action, session);
    expect(refused(bob("read"), "session:write")).toThrow(expect.objectContaining({ code: "session_not_found" }));
    expect(refused(ann("read"), "session:write")).toThrow("may only read. Use one with the scope `write`");
    expect(refused(ann("write"), "runtime:admin")).toThrow("needs an API key with the scope `admin`");
    expect(refused(token("read"), "session:write")).toThrow("This session token may only read");
    expect(refused(token("write"), "session:manage")).toThrow("A session token is not enough for this");
  });
});
