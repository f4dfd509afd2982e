import { expect, test } from "vitest";
import { readDaytonaSettings } from "./daytona-settings.ts";

test("a key is enough", () => {
  expect(readDaytonaSettings({}, { DAYTONA_API_KEY: "dtn_1" })).toEqual({
    apiKey: "dtn_1",
    apiUrl: "https://app.daytona.io/api",
    target: undefined,
    image: undefined,
    programs: "upload",
    root: "/home/daytona/sandbox-agent",
    lifeMs: 900_000,
    diskGiB: undefined,
  });
});

test("sandboxes that bring everything themselves are made from a snapshot of ours", () => {
  expect(readDaytonaSettings({ apiKey: "k", programs: "image" }, {}).image).toBe("snapshot:sandbox-agent");
  const image = "ghcr.io/me/agents:1";
  expect(readDaytonaSettings({ apiKey: "k", programs: "image", image }, {}).image).toBe(image);
});

test("without a key it says where one is from, and of no setting its secret", () => {
  expect(() => readDaytonaSettings({}, {})).toThrow(/DAYTONA_API_KEY.*apiKey.*dashboard/);
  expect(() => readDaytonaSettings({ apiKey: "k", apiUrl: "app.daytona.io" }, {})).toThrow(/apiUrl.*https:/);
  expect(() => readDaytonaSettings({ apiKey: "k", lifeMs: -1 }, {})).toThrow(/lifeMs is a number from 0 on/);
});
