import { expect, test } from "vitest";
import { readKubernetesSettings } from "./kubernetes-settings.ts";

test("nothing has to be said", () => {
  expect(readKubernetesSettings({}, {})).toMatchObject({
    mode: "pod",
    reach: "auto",
    image: "node:22-bookworm-slim",
    programs: "upload",
    root: "/sandbox/agent",
    user: { uid: 1000, gid: 1000 },
    volume: "claim",
    lifeMs: 2_700_000,
  });
});

test.each([
  [{ mode: "job" }, /mode is one of pod, sandbox, claim, auto/],
  [{ mode: "claim" }, /warmPool/],
  [{ programs: "image" }, /programs=image needs image/],
  [{ user: "0:0" }, /not root's/],
  [{ user: "node" }, /uid:gid/],
  [{ root: "/agent" }, /in another one, which the volume is/],
  [{ memoryMiB: "much" }, /memoryMiB is a number from 64 on/],
  [{ podSpec: "tolerations" }, /podSpec is an object/],
  [{ podSpec: { containers: [] } }, /podSpec has containers, which the provider makes itself/],
])("%j is refused with what is wrong", (given, sentence) => {
  expect(() => readKubernetesSettings(given, {})).toThrow(sentence);
});
