import { expect, it } from "vitest";
import { RateLimits } from "./rate-limits.ts";

const limited = { principal: "ann", scope: "read", keyId: "a", requestsPerMinute: 60 } as const;

it("lets a minute's worth in at once, then as many as the limit says, and tells how long to wait", () => {
  const limits = new RateLimits();
  for (let n = 0; n < 60; n++) limits.count(limited, 0);
  const refused = expect.objectContaining({ code: "too_many_requests", details: { retryAfter: 1 } });
  expect(() => limits.count(limited, 0)).toThrow(refused);
  limits.count(limited, 1_000);
  expect(() => limits.count(limited, 1_000)).toThrow("More than 60 requests a minute. Try again in 1 s.");
  for (let n = 0; n < 60; n++) limits.count(limited, 600_000);
  expect(() => limits.count(limited, 600_000)).toThrow(refused);
});

it("counts each key for itself, and whoever has none by its name", () => {
  const limits = new RateLimits();
  const one = { ...limited, requestsPerMinute: 1 };
  limits.count(one, 0);
  limits.count({ ...one, keyId: "b" }, 0);
  limits.count({ ...one, keyId: undefined }, 0);
  limits.count({ ...one, keyId: undefined, principal: "bob" }, 0);
  for (const again of [one, { ...one, keyId: "b" }, { ...one, keyId: undefined }]) {
    expect(() => limits.count(again, 0)).toThrow("More than 1 requests a minute. Try again in 60 s.");
  }
  for (let n = 0; n < 1_000; n++) limits.count({ ...limited, requestsPerMinute: undefined }, 0);
});
