import { expect, test } from "vitest";
import { MAX_ATTEMPTS, settingsFor } from "./settings.ts";

test("what the user has set stays, what suits us is laid under it", () => {
  const user = {
    general: { maxAttempts: 7, vimMode: true },
    security: { auth: { selectedType: "oauth-personal" } },
    mcpServers: { x: { command: "x" } },
  };
  expect(settingsFor(user, "gemini-api-key")).toMatchObject({
    ...user,
    general: { maxAttempts: 7, vimMode: true, enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  });
});

test("without settings the way to sign in that there is, and few tries", () => {
  expect(settingsFor({}, "gemini-api-key")).toMatchObject({
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { maxAttempts: MAX_ATTEMPTS },
  });
  expect(settingsFor({}, undefined)).not.toHaveProperty("security");
});
