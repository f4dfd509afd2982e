import { describe, expect, it } from "vitest";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { Access, type Authenticate } from "./access.ts";
import { ApiKeys } from "./api-keys.ts";
import { SessionTokens } from "./session-tokens.ts";

const session = { sessionId: "s", uid: "u1", owner: "ann" };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function made(authenticate?: Authenticate) {
  const keys = new ApiKeys(new MemoryRuntimeStore());
  return { keys, access: new Access({ keys, tokens: new SessionTokens("secret"), authenticate }) };
}

describe("who comes in", () => {
  it("is whoever an API key belongs to, with its limit", async () => {
    const { keys, access } = made();
    const { id, key } = await keys.create({ name: "ann", scope: "read", requestsPerMinute: 2 });
    const ann = { principal: "ann", scope: "read", keyId: id, requestsPerMinute: 2 };
    expect(await access.principalOf(bearer(key))).toEqual(ann);
    expect(await access.principalOf({ headers: {}, token: key })).toEqual(ann);
    await expect(access.principalOf(bearer(key))).rejects.toMatchObject({ code: "too_many_requests" });
    await expect(access.principalOf({ headers: {} })).rejects.toMatchObject({ code: "token_invalid" });
    await expect(access.principalOf(bearer("sak_wrong"))).rejects.toMatchObject({ code: "token_invalid" });
  });

  it("is nobody by an API key in a URL", async () => {
    const { keys, access } = made();
    const { key } = await keys.create({ name: "ann" });
    const refused = access.principalOf({ headers: {}, urlToken: key });
    await expect(refused).rejects.toThrow("does not belong into a URL");
  });

  it("is who was given a session token, also by URL, until its key is revoked", async () => {
    const { keys, access } = made();
    const { id, key } = await keys.create({ name: "ann" });
    const ann = await access.principalOf(bearer(key));
    const { token, expiresAt } = access.issueToken(ann, session, { scope: "read", expiresIn: 60 });
    expect(expiresAt).toBeGreaterThan(Date.now());
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 60_000);
    const holder = { principal: "ann", scope: "read", keyId: id, expiresAt, session: { sessionId: "s", uid: "u1" } };
    expect(await access.principalOf({ headers: {}, urlToken: token })).toEqual(holder);
    expect(await access.principalOf(bearer(token))).toEqual(holder);
    await keys.revoke(id);
    await expect(access.principalOf(bearer(token))).rejects.toMatchObject({ code: "token_invalid" });
    expect(await access.isStillIn(holder as typeof ann)).toBe(false);
  });

  it("gives no token for what it may not do itself, nor for longer than a day", async () => {
    const { access } = made();
    const scope = "write";
    const give = (principal: Parameters<Access["issueToken"]>[0]) => () =>
      access.issueToken(principal, session, { scope });
    expect(give({ principal: "bob", scope: "write" })).toThrow("There is no session");
    expect(give({ principal: "ann", scope: "read" })).toThrow("may only read");
    expect(give({ principal: "ann", scope: "write", session })).toThrow("A session token is not enough");
    const { expiresAt } = access.issueToken({ principal: "x", scope: "admin" }, session, { scope, expiresIn: 1e9 });
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 24 * 60 * 60_000);
    const soon = Date.now() + 1_000;
    const brief = access.issueToken({ principal: "ann", scope: "write", expiresAt: soon }, session, { scope });
    expect(brief.expiresAt).toBe(soon);
  });

  it("is whom the application says, else who has a key; pages of other sites do not bring its cookies", async () => {
    const { keys, access } = made(({ headers }) =>
      headers.cookie === "user=eve" ? { principal: "eve", scope: "write" } : null,
    );
    const { key } = await keys.create({ name: "ann" });
    expect(await access.principalOf({ headers: { cookie: "user=eve" } })).toEqual({ principal: "eve", scope: "write" });
    expect(await access.principalOf(bearer(key))).toMatchObject({ principal: "ann" });
    const crossSite = access.principalOf({ headers: { cookie: "user=eve" }, isCrossSite: true });
    await expect(crossSite).rejects.toMatchObject({ code: "token_invalid" });
  });
});
