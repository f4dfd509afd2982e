import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath, rename, rm } from "node:fs/promises";
import { posix } from "node:path";
import { HeldDirectory } from "@sandbox-agent-ts/agents/held-directory";
import { type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";

/** A directory of a sandbox: as it is seen inside, and as it is seen from here. */
export interface Place {
  readonly inside: string;
  readonly outside: string;
}

const create = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Write a file into one of the places. What is inside may have put links on the way: none is followed. */
export async function writeInside(places: readonly Place[], file: SandboxFile): Promise<void> {
  const { place, names } = locate(places, file.path);
  const real = await realpath(place.outside);
  const top = await HeldDirectory.open(place.outside, (where) => where === real);
  if (top === undefined) throw refusal(file.path, "its directory is being replaced");
  const held = [top];
  try {
    for (const name of names.slice(0, -1)) held.push(await held.at(-1)!.makeChild(name));
    await replaceFile(held.at(-1)!, names.at(-1)!, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENOTDIR") throw refusal(file.path, "a part of it is a link or a file");
    throw error;
  } finally {
    await Promise.all(held.map((directory) => directory.close()));
  }
}

function locate(places: readonly Place[], path: string): { place: Place; names: string[] } {
  const normal = posix.normalize(path);
  const place = places.find(({ inside }) => normal.startsWith(`${inside}/`));
  const names = place === undefined ? [] : normal.slice(place.inside.length + 1).split("/");
  if (place === undefined || names.includes("")) {
    throw refusal(path, `it must name a file below ${places.map(({ inside }) => inside).join(", ")}`);
  }
  return { place, names };
}

async function replaceFile(directory: HeldDirectory, name: string, { data, mode = 0o644 }: SandboxFile): Promise<void> {
  const temporary = directory.at(`.${randomBytes(8).toString("hex")}.new`);
  const handle = await open(temporary, create, mode);
  try {
    await handle.writeFile(data);
    await handle.chmod(mode & 0o777);
    await rename(temporary, directory.at(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

function refusal(path: string, why: string): SandboxProviderError {
  return new SandboxProviderError("failed", `${JSON.stringify(path)} cannot be written: ${why}.`);
}
