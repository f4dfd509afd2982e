import { join } from "node:path";
import { fetchPackage } from "./fetch-package.mjs";

const isMusl = () => !process.report.getReport().header.glibcVersionRuntime;

/** This machine, in the words of an `AgentProgram`. */
export const thisPlatform = () =>
  `${process.platform}-${process.arch}${process.platform === "linux" && isMusl() ? "-musl" : ""}`;

/** A version of the program for this machine, as a package has it. */
export async function fetchProgram(program, version) {
  const found = program.source.packages[thisPlatform()];
  if (found === undefined) throw new Error(`There is no ${program.name} for ${thisPlatform()}.`);
  const inRegistry = found.version?.replace("{version}", version) ?? version;
  const folder = await fetchPackage(found.name, inRegistry);
  return { package: found.name, version: inRegistry, path: join(folder, found.binary) };
}
