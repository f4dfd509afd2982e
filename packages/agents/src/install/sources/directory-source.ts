import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { readRegularText } from "../../files/read-regular-file.ts";
import type { FetchedPackage } from "../fetch-package.ts";
import { duringStep, installFailure } from "../install-failure.ts";
import { type ProgramParts, programParts } from "../program-parts.ts";
import type { OpenedSource, SourceContext } from "./program-source.ts";
import { sumIn } from "./sums-file.ts";
import { vendorPlan } from "./vendor-source.ts";

const sumsName = "SHA256SUMS";

/**
 * Files that somebody put into `SANDBOX_AGENT_OFFLINE_DIR`: packages as `npm pack` names them, or the vendor's file in a
 * folder `<program>-<version>`. They are taken as they are; a file SHA256SUMS beside them is held to.
 */
export async function openDirectorySource(
  { program, version }: Pick<SourceContext, "program" | "version">,
  named: string,
): Promise<OpenedSource> {
  const directory = resolve(named);
  const plans = [npmPlan(), ...(program.vendor ? [vendorsPlan(program.vendor)] : [])].filter(
    (plan) => plan !== undefined,
  );
  const found = plans.find(({ files }) => files.every((file) => existsSync(join(directory, file))));
  if (!found)
    throw nothingThere(
      directory,
      plans.map(({ files }) => files.join(" and ")),
      program.name,
    );
  const { whole, files } = found;
  return {
    name: "directory",
    whole,
    isCached: false,
    fetchPart: (part, onStep) => {
      onStep({ step: "resolve" });
      return take(directory, files[whole.parts.indexOf(part)]!);
    },
    forget: async () => undefined,
  };

  function npmPlan(): Plan | undefined {
    const parts = ifForHere(() => programParts(program, version));
    return parts && { whole: parts, files: parts.parts.map(packedName) };
  }

  function vendorsPlan(vendor: NonNullable<typeof program.vendor>): Plan | undefined {
    const plan = ifForHere(() => vendorPlan(program.name, vendor, version));
    return plan && { whole: plan.whole, files: [join(`${program.name}-${version}`, basename(plan.file.file))] };
  }
}

interface Plan {
  readonly whole: ProgramParts;
  /** In the directory, one for each part. */
  readonly files: readonly string[];
}

function ifForHere<T>(plan: () => T): T | undefined {
  try {
    return plan();
  } catch {
    return undefined;
  }
}

/** As `npm pack` calls it. */
const packedName = ({ name, version }: { name: string; version: string }) =>
  `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;

async function take(directory: string, file: string): Promise<FetchedPackage> {
  const archive = join(directory, file);
  const url = pathToFileURL(archive).href;
  return duringStep("download", `Reading ${archive}`, async () => {
    const hash = createHash("sha256");
    await pipeline(createReadStream(archive), hash);
    const digest = hash.digest();
    const sums = join(directory, sumsName);
    if (existsSync(sums) && sumIn(await readRegularText(sums), file) !== digest.toString("hex")) {
      const sentence = `${archive} is not what ${sums} says, or not listed there. Copy it again.`;
      throw installFailure(sentence, { step: "download", url });
    }
    return { content: { archive }, url, integrity: `sha256-${digest.toString("base64")}`, downloadedBytes: 0 };
  });
}

function nothingThere(directory: string, choices: readonly string[], name: string): Error {
  const sentence =
    choices.length === 0
      ? `There is no ${name} for this machine.`
      : `${directory} does not have ${name}: put ${choices.join(", or ")} there.`;
  return installFailure(sentence, { step: "resolve" });
}
