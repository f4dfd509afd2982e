import { resolve } from "node:path";
import { imageFormat, recipeFiles, writeImageContext } from "@sandbox-agent-ts/runtime";
import { Output } from "../output/output.ts";
import { shellQuote } from "../output/shell-quote.ts";
import { bundleOf, providerOf, recipeOf, type TemplateFlags } from "./image-flags.ts";

export async function showTemplate(flags: TemplateFlags): Promise<void> {
  const provider = providerOf(flags);
  const out = new Output(process.stdout, { json: flags.json });
  const format = imageFormat(provider);
  const recipe = await recipeOf(flags);
  const files = recipeFiles(provider, recipe);
  if (flags.out === undefined) {
    if (out.audience === "json") return out.json({ provider, files });
    return out.write(files[format.file]!);
  }
  const directory = resolve(flags.out);
  await writeImageContext(directory, { files, bundle: bundleOf(flags) });
  const use = format.use(shellQuote(flags.out), recipe);
  await out.answer({ provider, directory, files: Object.keys(files), use }, `It is in ${directory}. Build it: ${use}`);
}
