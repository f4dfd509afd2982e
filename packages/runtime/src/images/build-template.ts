import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectionOf } from "../sandboxes/e2b/e2b-client.ts";
import { e2bError } from "../sandboxes/e2b/e2b-error.ts";
import { readE2bSettings } from "../sandboxes/e2b/e2b-settings.ts";
import { importSdk } from "../sandboxes/hosted/import-sdk.ts";
import type { BuildOptions } from "./build-image.ts";
import { defineE2bTemplate, e2bSize } from "./e2b-template.ts";
import { writeImageContext } from "./image-context.ts";
import { recipeFiles } from "./image-formats.ts";
import { defaultTag } from "./image-recipe.ts";

export interface TemplateBuildOptions extends BuildOptions {
  /** Those of the provider. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

export interface BuiltTemplate {
  readonly tag: string;
  readonly id: string;
}

/** A template at E2B, built there; its sandboxes have what it has. */
export async function buildTemplate(options: TemplateBuildOptions): Promise<BuiltTemplate> {
  const { bundle, tag = defaultTag, settings = {}, onLine = () => {}, signal } = options;
  const files = recipeFiles("e2b", options);
  const account = connectionOf(readE2bSettings(settings));
  const { E2B } = await importSdk("e2b", () => import("e2b"), "^2.51.0");
  const directory = await mkdtemp(join(tmpdir(), "sandbox-agent-image-"));
  try {
    await writeImageContext(directory, { files, bundle });
    const { Template } = new E2B(account);
    const template = defineE2bTemplate(Template, options, directory);
    const built = await Template.build(template, tag, {
      ...e2bSize,
      onBuildLogs: ({ message }) => onLine(message),
      ...(signal === undefined ? {} : { signal }),
    });
    return { tag, id: built.templateId };
  } catch (error) {
    throw e2bError(error);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
