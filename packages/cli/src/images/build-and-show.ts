import { buildImage, buildTemplate, imageFormat } from "@sandbox-agent-ts/runtime";
import { byteText } from "../output/number-text.ts";
import { Output } from "../output/output.ts";
import { UsageError } from "../usage-error.ts";
import { type BuildFlags, bundleOf, providerOf, recipeOf } from "./image-flags.ts";

/** What the builder says goes to stderr; in the end it says what there is. */
export async function buildAndShow(flags: BuildFlags): Promise<void> {
  const provider = providerOf(flags);
  const { file } = imageFormat(provider);
  const out = new Output(process.stdout, { json: flags.json });
  const bundle = bundleOf(flags);
  const recipe = { ...(await recipeOf(flags)), bundle, onLine: (line: string) => process.stderr.write(`${line}\n`) };
  if (file === "Dockerfile") {
    const built = await buildImage({
      ...recipe,
      host: flags.dockerHost ?? (process.env.DOCKER_HOST || undefined),
      platform: flags.platform,
      network: flags.buildNetwork,
      registry: process.env.SANDBOX_AGENT_NPM_REGISTRY || undefined,
    });
    return out.answer(
      { provider, ...built },
      `${built.tag} is built, ${byteText(built.sizeBytes)}. ${nextStep(provider, built.tag)}`,
    );
  }
  if (provider === "e2b") {
    const built = await buildTemplate(recipe);
    const use = 'Use it with the provider\'s settings "programs": "image" and "template".';
    return out.answer({ provider, ...built }, `The template ${built.tag} is built (${built.id}). ${use}`);
  }
  const detail = `It is built by a program of yours: sandbox-agent image template --provider ${provider} --out DIRECTORY`;
  throw new UsageError(`${detail} writes it.`);
}

const nextStep = (provider: string, tag: string) =>
  provider === "docker"
    ? `Use it with sandbox-agent runtime --provider docker --docker-programs image --docker-image ${tag}`
    : `Push it to a registry that ${provider} reaches (docker push), and name it in the provider's settings.`;
