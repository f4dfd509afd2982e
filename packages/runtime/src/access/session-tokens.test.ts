import { describe, expect, it } from "vitest";
import { SessionTokens } from "./session-tokens.ts";

const tokens = new SessionTokens("a secret");
const session = { sessionId: "näh/✂", uid: "u1" };
const issuer = { principal: "ann", keyId: "key_1", requestsPerMinute: 60 };
const inAMinute = () => Date.now() + 60_000;

describe("a session token", () => {
  it("says whose it is, for which session, for what and how long", () => {
    const expiresAt = inAMinute();
    const token = tokens.sign({ session, scope: "read", expiresAt, issuer });
    expect(token).toMatch(/^sat_[\w-]+\.[\w-]+$/);
    expect(tokens.read(token)).toEqual({ ...issuer, scope: "read", session, expiresAt });
  });

  it("of an application's user has no key", () => {
    const token = tokens.sign({ session, scope: "write", expiresAt: inAMinute(), issuer: { principal: "ann" } });
    expect(tokens.read(token)).toMatchObject({ principal: "ann", scope: "write", keyId: undefined });
  });

  it("is refused when its time is over", () => {
    const token = tokens.sign({ session, scope: "read", expiresAt: Date.now(), issuer });
    expect(() => tokens.read(token)).toThrow("has expired");
  });

  it("is refused when it was changed, cut, lengthened or signed with another secret", () => {
    const token = tokens.sign({ session, scope: "read", expiresAt: inAMinute(), issuer });
    const [body, signature] = token.slice("sat_".length).split(".") as [string, string];
    const wider = Buffer.from(body, "base64url").toString().replace('"c":"read"', '"c":"write"');
    const wrong = [
      `sat_${Buffer.from(wider).toString("base64url")}.${signature}`,
      `sat_${body}.`,
      `sat_${body}`,
      `sat_.${signature}`,
      "sat_",
      `${token}.${signature}`,
      `${token}${"A".repeat(10_000)}`,
      `xat_${body}.${signature}`,
      new SessionTokens("another").sign({ session, scope: "read", expiresAt: inAMinute(), issuer }),
    ];
    for (const text of wrong) expect(() => tokens.read(text), text.slice(0, 200)).toThrow("is not valid");
  });
});
