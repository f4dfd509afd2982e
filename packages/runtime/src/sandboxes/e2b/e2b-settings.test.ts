import { expect, test } from "vitest";
import { readE2bSettings } from "./e2b-settings.ts";

const read = (given: Parameters<typeof readE2bSettings>[0], env: NodeJS.ProcessEnv = { E2B_API_KEY: "key" }) =>
  readE2bSettings(given, env);

test("a key is enough", () => {
  expect(read({})).toMatchObject({
    apiKey: "key",
    template: "base",
    programs: "upload",
    onTimeout: "pause",
    suspend: "memory",
  });
  expect(read({ programs: "image" }).template).toBe("sandbox-agent");
  expect(read({ apiKey: "mine", template: "own", domain: "e2b.example" })).toMatchObject({
    apiKey: "mine",
    template: "own",
    domain: "e2b.example",
  });
});

test("what the SDK reads from the environment counts, and settings before it", () => {
  const env = { E2B_API_KEY: "key", E2B_DOMAIN: "env.example", E2B_API_URL: "https://api.env.example/" };
  expect(read({}, env)).toMatchObject({ domain: "env.example", apiUrl: "https://api.env.example" });
  expect(read({ domain: "own.example" }, env).domain).toBe("own.example");
});

test.each([
  [{}, {}, /There is no key for the provider e2b\. Set E2B_API_KEY, or its setting apiKey; E2B's dashboard/],
  [{ onTimeout: "stop" }, undefined, /onTimeout is one of pause, kill, not "stop"/],
  [{ suspend: "snapshot" }, undefined, /suspend is one of memory, disk/],
  [{ root: "here" }, undefined, /root is an absolute path/],
  [{ apiUrl: "e2b.example" }, undefined, /apiUrl is an address that begins with https:/],
  [{ lifeMs: 10 }, undefined, /lifeMs is a number from 1000 on/],
])("%j is refused with what to do", (given, env, message) => {
  expect(() => read(given, env)).toThrow(message);
});
