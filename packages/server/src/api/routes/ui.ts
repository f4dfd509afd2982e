import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import { acceptsEncoding } from "../ui/accepts-encoding.ts";
import { type UiFile, uiFilesByName } from "../ui/ui-files.ts";
import { uiHeaders } from "../ui/ui-headers.ts";
import { type UiSource, uiFolder } from "../ui/ui-source.ts";

const page = "index.html";

/** The web inspector: files that this daemon was given, which may be built while it runs. */
export class Ui {
  readonly #source: UiSource | undefined;
  #files: ReadonlyMap<string, UiFile> = new Map();

  constructor(source: string | UiSource | undefined) {
    this.#source = typeof source === "string" ? uiFolder(source) : source;
  }

  get isBuilt(): boolean {
    return this.#source?.names().includes(page) ?? false;
  }

  /**
   * The file of this name, else the page, which knows its own places. A missing asset is not one of them: it belongs to
   * a build that is gone.
   */
  find(name: string): UiFile | undefined {
    const known = name === page ? undefined : this.#files.get(name);
    if (known || this.#source === undefined) return known;
    this.#files = uiFilesByName(this.#source.names());
    return this.#files.get(name) ?? (name.startsWith("assets/") ? undefined : this.#files.get(page));
  }

  /** One of the files that `find` answered. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#source === undefined) throw notBuilt();
    return new Uint8Array(await this.#source.read(name));
  }
}

export function uiRoutes(app: Hono, ui: Ui): void {
  app.get("/ui", (c) => c.redirect("/ui/", 308));
  app.get("/ui/*", (c) => serve(c, ui));
  app.all("/ui/*", (c) => {
    throw new SandboxError("method_not_allowed", `${c.req.path} does not know ${c.req.method}. It knows: GET, HEAD.`, {
      details: { allow: "GET, HEAD" },
    });
  });
}

async function serve(c: Context, ui: Ui): Promise<Response> {
  const name = c.req.path.slice("/ui/".length);
  const file = ui.find(name);
  if (!file) throw ui.isBuilt ? noSuchFile(c.req.path) : notBuilt();
  const form = file.compressed.find(({ encoding }) => acceptsEncoding(c.req.header("accept-encoding"), encoding));
  const bytes = await ui.read(form?.name ?? file.name);
  return c.body(bytes, 200, {
    ...uiHeaders(file.name),
    "content-length": String(bytes.length),
    ...(file.compressed.length > 0 ? { vary: "Accept-Encoding" } : {}),
    ...(form ? { "content-encoding": form.encoding } : {}),
  });
}

function noSuchFile(path: string): SandboxError {
  return new SandboxError("not_found", `There is no file at ${path}. Reload the page: it may have been built anew.`);
}

function notBuilt(): SandboxError {
  return new SandboxError(
    "not_found",
    "This daemon has no web inspector. Build it with `npm run build`, and start the daemon without --no-ui.",
  );
}
