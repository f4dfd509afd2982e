import { expect, it } from "vitest";
import { loadProviderService, providerServices, startProviderService } from "./registry.ts";

it.each(providerServices)("%s is the service of its folder", async (name) => {
  const service = await loadProviderService(name);
  expect(service.name).toBe(name);
  expect(service.summary).toMatch(/^[A-Z].*\.$/);
});

it("says which services there are", async () => {
  await expect(startProviderService("toString")).rejects.toThrow(
    `There is no service "toString". Name one of these: ${providerServices.join(", ")}.`,
  );
});
