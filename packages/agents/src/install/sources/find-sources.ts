import { installFailure } from "../install-failure.ts";
import { findNpm, type NpmOfMachine } from "../npm-registry.ts";
import { openDirectorySource } from "./directory-source.ts";
import { openNpmSource } from "./npm-source.ts";
import type { OpenedSource, SourceContext, SourceName } from "./program-source.ts";
import { sourceOrder } from "./source-order.ts";
import { openVendorSource } from "./vendor-source.ts";

/** A source that may have a program. */
export interface ProgramSourceChoice {
  readonly label: string;
  open(): Promise<OpenedSource>;
}

/** Where this program may come from, in the order in which that is tried: those that are set up and that it has. */
export function findSources(
  wanted: Omit<SourceContext, "npm">,
): readonly [ProgramSourceChoice, ...ProgramSourceChoice[]] {
  const { program, env } = wanted;
  const directory = env.SANDBOX_AGENT_OFFLINE_DIR || undefined;
  let asked: Promise<NpmOfMachine> | undefined;
  const npm = () => (asked ??= findNpm(env));
  const context = { ...wanted, npm };
  const choices: Record<SourceName, ProgramSourceChoice | undefined> = {
    directory:
      directory === undefined
        ? undefined
        : { label: "the directory", open: () => openDirectorySource(context, directory) },
    npm: { label: "npm's registry", open: () => openNpmSource(context) },
    vendor: program.vendor && { label: "its vendor", open: () => openVendorSource(context, program.vendor!) },
  };
  const [first, ...others] = sourceOrder(env).flatMap((name) => choices[name] ?? []);
  if (first !== undefined) return [first, ...others];
  const sentence = `None of the places in SANDBOX_AGENT_SOURCES has ${program.name}. Add npm to them, or set SANDBOX_AGENT_OFFLINE_DIR.`;
  throw installFailure(sentence, { step: "registry" });
}
