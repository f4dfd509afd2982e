import { posix } from "node:path";
import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { E2bSandbox } from "./e2b-sandbox.ts";

type SandboxOf = (call: ServiceCall) => E2bSandbox;

/** The files of a sandbox, as envd hands them out and takes them in. */
export function envdFiles(sandboxOf: SandboxOf): readonly ServiceRoute[] {
  const rpc = (method: string, work: (call: ServiceCall, sandbox: E2bSandbox) => Promise<void>) => ({
    method: "POST",
    path: `/filesystem.Filesystem/${method}`,
    name: method.toLowerCase(),
    handle: (call: ServiceCall) => work(call, sandboxOf(call)),
  });
  return [
    { method: "GET", path: "/files", name: "read", handle: (call) => read(call, sandboxOf(call)) },
    { method: "POST", path: "/files", name: "write", handle: (call) => write(call, sandboxOf(call)) },
    rpc("Stat", async (call, sandbox) => {
      const { path } = await call.json<{ path: string }>();
      const [entry] = await entriesAt(sandbox, path, ["-maxdepth", "0"]);
      if (entry) call.answer(200, { entry });
      else call.answer(404, notFound(path));
    }),
    rpc("ListDir", async (call, sandbox) => {
      const { path, depth = 1 } = await call.json<{ path: string; depth?: number }>();
      const below = ["-mindepth", "1", "-maxdepth", String(depth)];
      if (!(await succeeds(sandbox, ["test", "-d", path]))) return call.answer(404, notFound(path));
      call.answer(200, { entries: await entriesAt(sandbox, path, below) });
    }),
    rpc("MakeDir", async (call, sandbox) => {
      const { path } = await call.json<{ path: string }>();
      if (await succeeds(sandbox, ["test", "-e", path]))
        return call.answer(409, { code: "already_exists", message: `directory already exists: ${path}` });
      await sandbox.box.run(["mkdir", "-p", "--", path]);
      call.answer(200, { entry: (await entriesAt(sandbox, path, ["-maxdepth", "0"]))[0] });
    }),
    rpc("Move", async (call, sandbox) => {
      const { source, destination } = await call.json<{ source: string; destination: string }>();
      if (!(await succeeds(sandbox, ["mv", "-T", "--", source, destination])))
        return call.answer(404, notFound(source));
      call.answer(200, { entry: (await entriesAt(sandbox, destination, ["-maxdepth", "0"]))[0] });
    }),
    rpc("Remove", async (call, sandbox) => {
      const { path } = await call.json<{ path: string }>();
      await sandbox.box.run(["rm", "-rf", "--", path]);
      call.answer(200, {});
    }),
  ];
}

async function read(call: ServiceCall, { box }: E2bSandbox): Promise<void> {
  const path = call.query.get("path") ?? "";
  const found = await box.read(path);
  if (found === undefined) return call.answer(404, { code: 404, message: `path '${path}' does not exist` });
  call.response.writeHead(200, { "content-type": "application/octet-stream", "content-length": found.length });
  call.response.end(found);
}

/** One file as it is, or many as a form. A file that is there keeps its mode. */
async function write(call: ServiceCall, { box }: E2bSandbox): Promise<void> {
  const path = call.query.get("path");
  const type = call.request.headers["content-type"] ?? "";
  const files = type.startsWith("multipart/") ? await formFiles(await call.bytes(), type, path) : new Map();
  if (type === "application/octet-stream" && path !== null) files.set(path, await call.bytes());
  for (const [place, data] of files) {
    const mode = await box.run(["stat", "-c", "%a", "--", place]);
    await box.write(place, data, mode.code === 0 ? Number.parseInt(mode.stdout, 8) : undefined);
  }
  const written = [...files.keys()].map((place: string) => ({
    path: place,
    name: posix.basename(place),
    type: "file",
  }));
  call.answer(200, written);
}

async function formFiles(body: Buffer, type: string, path: string | null): Promise<Map<string, Buffer>> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const files = new Map<string, Buffer>();
  for (const file of form.getAll("file"))
    if (typeof file !== "string") files.set(path ?? file.name, Buffer.from(await file.arrayBuffer()));
  return files;
}

const types: Readonly<Record<string, string>> = {
  f: "FILE_TYPE_FILE",
  d: "FILE_TYPE_DIRECTORY",
  l: "FILE_TYPE_SYMLINK",
};

async function entriesAt({ box }: E2bSandbox, path: string, depth: readonly string[]) {
  const format = String.raw`%y\t%s\t%m\t%M\t%u\t%g\t%T@\t%p\0`;
  const { stdout } = await box.run(["find", path, ...depth, "-printf", format]);
  return stdout
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const [kind = "", size, mode = "", permissions, owner, group, seconds, place = ""] = line.split("\t");
      const modifiedTime = new Date(Number(seconds) * 1000).toISOString();
      const rights = { mode: Number.parseInt(mode, 8), permissions, owner, group };
      return { name: posix.basename(place), type: types[kind], path: place, size, ...rights, modifiedTime };
    });
}

async function succeeds({ box }: E2bSandbox, command: readonly string[]): Promise<boolean> {
  return (await box.run(command)).code === 0;
}

const notFound = (path: string) => ({ code: "not_found", message: `path not found: ${path}` });
