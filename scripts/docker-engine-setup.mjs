// Set-up of every test run: a place for a Docker engine, which is started by the first test that needs one and ended here.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endEngine, engineVariable } from "./docker-engine.mjs";

export function setup() {
  const top = mkdtempSync(join(tmpdir(), "sa-docker-"));
  process.env[engineVariable] = join(top, `engine-${process.pid}`);
}

export async function teardown() {
  const directory = process.env[engineVariable];
  if (existsSync(directory)) await endEngine(directory);
  rmSync(join(directory, ".."), { recursive: true, force: true });
}
