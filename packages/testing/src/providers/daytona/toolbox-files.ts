import { posix } from "node:path";
import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { DaytonaSandbox } from "./daytona-sandbox.ts";
import { Refusal } from "./refusal.ts";

type At = (
  name: string,
  where: string,
  work: (call: ServiceCall, sandbox: DaytonaSandbox) => Promise<void>,
) => ServiceRoute;

/** The files of a sandbox, as its toolbox takes them in and hands them out. */
export function toolboxFiles(at: At): readonly ServiceRoute[] {
  return [
    at("write", "POST /files/bulk-upload", upload),
    at("read", "POST /files/bulk-download", download),
    at("stat", "GET /files/info", async (call, { box }) => {
      const path = call.query.get("path") ?? "";
      const { code, stdout } = await box!.run(["stat", "-c", "%s %a %F", "--", path]);
      if (code !== 0) throw new Refusal(404, `file not found: ${path}`);
      const [size, mode, ...type] = stdout.trim().split(" ");
      const isDir = type.join(" ") === "directory";
      call.answer(200, { name: posix.basename(path), size: Number(size), permissions: mode, isDir });
    }),
    at("make-directory", "POST /files/folder", async (call, { box }) => {
      const [path, mode] = [call.query.get("path") ?? "", call.query.get("mode") ?? "755"];
      const { code, stderr } = await box!.run(["mkdir", "-p", "-m", mode, "--", path]);
      if (code !== 0) throw new Refusal(400, stderr.trim());
      call.answer(201);
    }),
    at("remove", "DELETE /files", async (call, { box }) => {
      const { code, stderr } = await box!.run(["rm", "-r", "--", call.query.get("path") ?? ""]);
      if (code !== 0) throw new Refusal(404, stderr.trim());
      call.answer(204);
    }),
  ];
}

/** A file that is there keeps its mode. What could not be written is told for each. */
async function upload(call: ServiceCall, { box }: DaytonaSandbox): Promise<void> {
  const type = call.request.headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(await call.bytes()), { headers: { "content-type": type } }).formData();
  const files: { path: string; bytes: number }[] = [];
  const errors: string[] = [];
  for (const [name, value] of form) {
    if (!name.endsWith(".file") || typeof value === "string") continue;
    const path = String(form.get(name.replace(/\.file$/, ".path")) ?? "").trim();
    try {
      const data = new Uint8Array(await value.arrayBuffer());
      const mode = await box!.run(["stat", "-c", "%a", "--", path]);
      await box!.write(path, data, mode.code === 0 ? Number.parseInt(mode.stdout, 8) : undefined);
      files.push({ path, bytes: data.length });
    } catch (error) {
      errors.push(`${path}: ${(error as Error).message}`);
    }
  }
  if (errors.length > 0) call.answer(400, { errors, files });
  else call.answer(200, { files });
}

async function download(call: ServiceCall, { box }: DaytonaSandbox): Promise<void> {
  const { paths } = await call.json<{ paths: readonly string[] }>();
  const form = new FormData();
  for (const path of paths) {
    const data = await box!.read(path);
    const cause = { statusCode: 404, code: "FILE_NOT_FOUND", source: "DAYTONA_DAEMON" };
    const problem = { message: `file not found: ${path}`, ...cause };
    if (data === undefined)
      form.append("error", new Blob([JSON.stringify(problem)], { type: "application/json" }), path);
    else form.append("file", new Blob([new Uint8Array(data)]), path);
  }
  const answer = new Response(form);
  call.response.writeHead(200, { "content-type": answer.headers.get("content-type")! });
  call.response.end(Buffer.from(await answer.arrayBuffer()));
}
