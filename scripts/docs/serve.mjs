import { createReadStream, statSync, watch } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { renderPage } from "./render-page.mjs";
import { docsDirectory, readSite } from "./site.mjs";

const types = { ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".yaml": "text/plain" };

/** The documentation on loopback; a page is rendered when it is asked for, and a browser shows it anew when a file changes. */
export async function serveDocs({ port = 3333 } = {}) {
  const readers = new Set();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://docs").pathname);
    if (path === "/changes") follow(readers, response);
    else answer(path, response).catch((error) => plain(response, 500, error.message));
  });
  const watcher = watch(docsDirectory, { recursive: true }, () => {
    for (const reader of readers) reader.write("data: changed\n\n");
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      watcher.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(path, response) {
  const site = readSite();
  const page = site.pages.find((other) => other.path === path.replace(/(.)\/$/, "$1"));
  if (page) {
    const html = await renderPage(page, site);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    return;
  }
  const file = join(docsDirectory, normalize(path));
  const type = types[extname(file)];
  if (
    type === undefined ||
    !file.startsWith(docsDirectory + sep) ||
    !statSync(file, { throwIfNoEntry: false })?.isFile()
  ) {
    plain(response, 404, `There is no page ${path}. docs/docs.json names those that there are.`);
    return;
  }
  response.writeHead(200, { "content-type": type });
  createReadStream(file).pipe(response);
}

function follow(readers, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).write(":\n\n");
  readers.add(response);
  response.once("close", () => readers.delete(response));
}

function plain(response, status, text) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
