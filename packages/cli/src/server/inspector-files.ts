import { existsSync } from "node:fs";
import { join } from "node:path";
import { getAsset, isSea } from "node:sea";
import type { UiSource } from "@sandbox-agent-ts/daemon";

/** Where the build puts the web inspector, seen from a part of the bundle, from the bundle itself, and from this file. */
const places = ["../ui", "ui", "../../dist/ui"];

/** The web inspector's files, in the single executable those inside of it; undefined when it was not built. */
export function inspectorFiles(): string | UiSource | undefined {
  if (isSea()) return insideExecutable;
  return places.map((place) => join(__dirname, place)).find((place) => existsSync(join(place, "index.html")));
}

const insideExecutable: UiSource = {
  names: () => JSON.parse(getAsset("ui.json", "utf8")) as string[],
  read: async (name) => new Uint8Array(getAsset(`ui/${name}`)),
};
