import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the build puts the web inspector, seen from a part of the bundle, from the bundle itself, and from this file. */
const places = ["../ui", "ui", "../../dist/ui"];

/** The web inspector's files; undefined when it was not built. */
export function uiDirectory(): string | undefined {
  return places.map((place) => join(__dirname, place)).find((place) => existsSync(join(place, "index.html")));
}
