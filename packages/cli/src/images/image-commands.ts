import type { Command } from "commander";
import { examplesHelp } from "../commands/examples-help.ts";
import type { Finish } from "../commands/finish.ts";
import { exitCode } from "../exit-code.ts";
import type { BuildFlags, TemplateFlags } from "./image-flags.ts";

/** `sandbox-agent image …`: images and templates that have the daemon and the programs of agents. */
export function addImageCommands(program: Command, finish: Finish): void {
  const image = program
    .command("image")
    .description("Images and templates of sandboxes, with the daemon and the agents of your choice inside");
  const template = withRecipe(image.command("template"))
    .description("Print the Dockerfile or the template, or write it with all that it needs into a directory")
    .option("-o, --out <directory>", "write it there, with install.sh and the daemon, ready to be built")
    .addHelpText(
      "after",
      examplesHelp([
        "image template --agents claude,codex@0.130.0",
        "image template --provider e2b --out e2b-template",
      ]),
    );
  template.action(async () => {
    const { showTemplate } = await import("./show-template.ts");
    await showTemplate(template.optsWithGlobals<TemplateFlags>());
    finish(exitCode.ok);
  });
  const build = withRecipe(image.command("build"))
    .description("Build it: with a Docker engine, or at E2B")
    .option("--docker-host <address>", "where the Docker engine listens (default: DOCKER_HOST or its usual socket)")
    .option("--platform <platform>", "e.g. linux/amd64 (default: the engine's own)")
    .option("--build-network <mode>", "network of what runs in the build, e.g. host (default: the engine's own)")
    .addHelpText(
      "after",
      examplesHelp(["image build --agents claude,codex", "image build --provider e2b --tag my-agents"]),
    );
  build.action(async () => {
    const { buildAndShow } = await import("./build-and-show.ts");
    await buildAndShow(build.optsWithGlobals<BuildFlags>());
    finish(exitCode.ok);
  });
}

const withRecipe = (command: Command): Command =>
  command
    .option("-a, --agents <agents>", "agents to be inside, with commas; claude@2.1.0 is a version (default: none)")
    .option("--provider <name>", "whose sandboxes are made of it (default: docker)")
    .option("--from <image>", "what it is made of, an image with Node and a shell (default: node:20-slim)")
    .option("--tag <name>", "what it is called (default: sandbox-agent)");
