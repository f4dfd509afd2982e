import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { Template, TemplateStep, Templates } from "./templates.ts";

/** Where files of templates are uploaded to; who has the address may. */
export const uploadPath = "/template-files/";

/** The part of E2B's API that is about templates. */
export function templateRoutes(templates: Templates, url: () => string): readonly ServiceRoute[] {
  const ofBuild = (work: (call: ServiceCall, template: Template) => void | Promise<void>) => (call: ServiceCall) => {
    const found = templates.build(call.params.id!, call.params.build!);
    return found ? work(call, found) : call.answer(404, { code: 404, message: "build not found" });
  };
  return [
    {
      method: "POST",
      path: "/v3/templates",
      name: "create-template",
      async handle(call) {
        const { name, tags = [], ...size } = await call.json<{ name: string; tags?: string[]; cpuCount?: number }>();
        const { templateID, buildID, names } = templates.request(name, size);
        call.answer(202, { templateID, buildID, names, aliases: names, tags, public: false });
      },
    },
    {
      method: "GET",
      path: "/templates/:id/files/:hash",
      name: "template-file",
      handle(call) {
        const hash = call.params.hash!;
        const present = templates.has(hash);
        call.answer(201, present ? { present } : { present, url: `${url()}${uploadPath}${hash}` });
      },
    },
    {
      method: "PUT",
      path: `${uploadPath}:hash`,
      name: "upload",
      async handle(call) {
        await templates.upload(call.params.hash!, await call.bytes());
        call.answer(200, undefined, { "content-length": "0" });
      },
    },
    {
      method: "POST",
      path: "/v2/templates/:id/builds/:build",
      name: "build",
      handle: ofBuild(async (call, template) => {
        template.steps = (await call.json<{ steps?: readonly TemplateStep[] }>()).steps ?? [];
        const lacks = template.steps.find(({ filesHash }) => filesHash !== undefined && !templates.has(filesHash));
        template.status = lacks ? "error" : "ready";
        call.answer(202, undefined, { "content-length": "0" });
      }),
    },
    {
      method: "GET",
      path: "/templates/:id/builds/:build/status",
      name: "build-status",
      handle: ofBuild((call, { templateID, buildID, status, steps }) => {
        const offset = Number(call.query.get("logsOffset") ?? 0);
        const logEntries = steps.slice(offset).map(({ type, args = [] }) => ({
          timestamp: new Date().toISOString(),
          level: "info",
          message: `${type} ${args.join(" ")}`.trim(),
        }));
        const reason = status === "error" ? { message: "a step has files that were not uploaded" } : undefined;
        call.answer(200, { templateID, buildID, status, logEntries, logs: [], reason });
      }),
    },
  ];
}
