import type { TemplateClass, Template as TemplateFactory } from "e2b";
import { imageBundle } from "../sandboxes/hosted/hosted-layout.ts";
import { defaultBase, defaultTag, type ImageRecipe } from "./image-recipe.ts";

const scriptPlace = "/opt/sandbox-agent-install.sh";
const installing = (agents: readonly string[]) => `sh ${scriptPlace}${agents.map((agent) => ` ${agent}`).join("")}`;

/** Sandboxes of E2B have what their template has. */
export const e2bSize = { cpuCount: 2, memoryMB: 4096 } as const;

/** A program that builds the template with E2B's SDK. */
export function e2bTemplate({ agents, from = defaultBase, tag = defaultTag }: ImageRecipe): string {
  return `// The daemon and the programs of agents as a template of E2B. install.sh and sandbox-agent/, the daemon, are beside this file:
//   sandbox-agent image template --provider e2b --out DIRECTORY
import { defaultBuildLogger, Template } from "e2b";

const template = Template({ fileContextPath: import.meta.dirname })
  .fromImage(${JSON.stringify(from)})
  .copy("sandbox-agent", "${imageBundle}", { user: "root" })
  .copy("install.sh", "${scriptPlace}", { user: "root" })
  .runCmd(${JSON.stringify(installing(agents))}, { user: "root" });

await Template.build(template, ${JSON.stringify(tag)}, {
  cpuCount: ${e2bSize.cpuCount},
  memoryMB: ${e2bSize.memoryMB},
  onBuildLogs: defaultBuildLogger(),
});
`;
}

/** The same for this process. */
export function defineE2bTemplate(
  factory: typeof TemplateFactory,
  { agents, from = defaultBase }: ImageRecipe,
  directory: string,
): TemplateClass {
  return factory({ fileContextPath: directory })
    .fromImage(from)
    .copy("sandbox-agent", imageBundle, { user: "root" })
    .copy("install.sh", scriptPlace, { user: "root" })
    .runCmd(installing(agents), { user: "root" });
}
