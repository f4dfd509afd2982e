import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SecretBox } from "./secret-box.ts";

test("what was sealed can be opened with the same key, and says nothing by itself", () => {
  const sealed = new SecretBox("key").seal("token ✓");
  expect(sealed).not.toContain("token");
  expect(new SecretBox("key").open(sealed)).toBe("token ✓");
  expect(new SecretBox("key").seal("token ✓")).not.toBe(sealed);
});

test.each(["", "AAAA", new SecretBox("other").seal("token")])("%j is refused with a sentence", (text) => {
  expect(() => new SecretBox("key").open(text)).toThrow("sealed with another key");
});

test("what was changed where it is kept is refused, whichever bit it is", () => {
  const bytes = Buffer.from(new SecretBox("key").seal("token"), "base64");
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    expect(() => new SecretBox("key").open(changed.toString("base64")), `byte ${place}`).toThrow("another key");
  }
});

test("a digest tells the same from another only with the key, and is found again after a rotation", () => {
  const digest = new SecretBox("key").digest("token");
  expect(digest).toBe(new SecretBox("key", ["old"]).digest("token"));
  expect(digest).not.toBe(new SecretBox("key").digest("other"));
  expect(digest).not.toBe(new SecretBox("other").digest("token"));
  expect(digest).not.toBe(createHash("sha256").update("token").digest("hex"));
  expect(new SecretBox("new", ["older", "key"]).olderDigests("token")).toContain(digest);
});

test("what was sealed with an older key can be opened and sealed anew, and then needs the older key no more", () => {
  const old = new SecretBox("old").seal("token");
  const rotating = new SecretBox("new", ["older", "old"]);
  expect(rotating.open(old)).toBe("token");
  const anew = rotating.resealed(old);
  expect(new SecretBox("new").open(anew!)).toBe("token");
  expect(rotating.resealed(anew!)).toBeUndefined();
  expect(() => new SecretBox("new").open(old)).toThrow("sealed with another key");
  expect(() => rotating.resealed(new SecretBox("unknown").seal("x"))).toThrow("sealed with another key");
});
