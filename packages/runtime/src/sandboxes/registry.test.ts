import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtInProviders, loadProvider, openProvider } from "./registry.ts";

test.each(builtInProviders)("%s is found by the name of its folder and describes itself", async (name) => {
  const provider = await loadProvider(name);
  expect(provider.name).toBe(name);
  expect(provider.summary).toMatch(/^[A-Z].+\.$/);
  expect(Object.values(provider.settings).every((line) => line.length > 10)).toBe(true);
});

test("a provider that is not there is refused with those that are", async () => {
  for (const name of ["nowhere", "constructor"])
    await expect(loadProvider(name)).rejects.toThrow(/Name one of these: .*local/);
});

test("the local provider takes its settings, and no others", async () => {
  const directory = mkdtempSync(join(tmpdir(), "registry-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const open = (settings: Record<string, unknown>) => openProvider("local", { directory, settings });
  const local = await open({ isolation: "none" });
  expect([local.name, local.can.isolation]).toEqual(["local", false]);
  const sandbox = await local.create({ labels: {}, bundle: directory });
  expect(sandbox.paths.workspace).toBe(join(directory, "sandboxes", sandbox.id, "workspace"));
  await sandbox.destroy();
  await expect(open({ isolation: "much" })).rejects.toThrow("isolation is auto, bubblewrap or none");
  await expect(open({ isolate: true })).rejects.toThrow(
    "no setting isolate; it has root, isolation, bubblewrap, controlGroups",
  );
});
