import { providerModules } from "./registry.gen.ts";
import { type SandboxProvider, SandboxProviderError } from "./sandbox-provider.ts";

/** What the folder of a provider exports as `provider`. */
export interface ProviderDescription {
  /** That of its folder. */
  readonly name: string;
  /** One line, for people. */
  readonly summary: string;
  /** The settings it takes, each with a line for people. */
  readonly settings: Readonly<Record<string, string>>;
  /** Rejects with a sentence where a setting is missing or wrong. */
  create(options: ProviderOptions): Promise<SandboxProvider>;
}

export interface ProviderOptions {
  /** Where it may keep what it needs on this machine; may not exist yet. */
  readonly directory: string;
  /** As they stand in the configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The names of all providers there are; nothing is imported for it. */
export const builtInProviders: readonly string[] = Object.keys(providerModules);

/** A provider by its name, imported only now. */
export async function loadProvider(name: string): Promise<ProviderDescription> {
  const modules: Readonly<Record<string, () => Promise<{ provider: ProviderDescription }>>> = providerModules;
  if (!Object.hasOwn(modules, name)) {
    const known = builtInProviders.join(", ");
    throw new SandboxProviderError("not_found", `There is no provider "${name}". Name one of these: ${known}.`);
  }
  return (await modules[name]!()).provider;
}

/** Make a provider by its name; settings that it does not know are refused. */
export async function openProvider(name: string, options: ProviderOptions): Promise<SandboxProvider> {
  const provider = await loadProvider(name);
  const unknown = Object.keys(options.settings).filter((setting) => !Object.hasOwn(provider.settings, setting));
  if (unknown.length > 0) {
    const known = Object.keys(provider.settings).join(", ");
    throw new SandboxProviderError(
      "failed",
      `The provider ${name} has no setting ${unknown.join(", ")}; it has ${known}.`,
    );
  }
  return provider.create(options);
}
