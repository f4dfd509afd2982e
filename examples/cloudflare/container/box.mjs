#!/usr/bin/env node
// The first program of a box: `box.mjs [root] [port]`. It belongs to whoever claims it first, which the Worker does before
// anything else runs here; the owner has the daemon started, files written and logs read. What runs in the box may reach the
// port, too, but has neither the secret nor anything to gain: this program has the same user and rights.
import { spawn } from "node:child_process";
import { createHash, timingSafeEqual } from "node:crypto";
import { createWriteStream } from "node:fs";
import { chmod, mkdir, rename, rm, stat, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { constants } from "node:os";
import { basename, dirname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

const [, , root = "/home/agent/sandbox", port = "2469"] = process.argv;
const programs = "/opt/sandbox-agent-programs";
const maxLogBytes = 1024 * 1024;
const graceMs = 10_000;
const patienceMs = 14 * 60_000;
const minSecretChars = 32;

const places = { home: join(root, "home"), workspace: join(root, "workspace"), data: join(root, "data") };
let owner;
let boxEnv = {};
let daemon;
let exitCode;
let log = Buffer.alloc(0);

const digest = (secret) => createHash("sha256").update(secret).digest();

const routes = {
  "PUT /claim": async (request) => {
    boxEnv = JSON.parse(await text(request)).env;
  },
  "GET /daemon": async () => {
    if (daemon !== undefined) return { state: "running" };
    return exitCode === undefined ? { state: "none" } : { state: "ended", exitCode };
  },
  "GET /daemon/end": () =>
    new Promise((resolve) => {
      if (daemon === undefined) resolve();
      else daemon.once("exit", () => resolve());
    }),
  "PUT /daemon": async (request) => startDaemon(startIn(await text(request))),
  "PUT /file": (request, query) => writeFile(request, query),
  "GET /logs": async (_request, query) => {
    const bytes = Number(query.get("bytes"));
    return bytes === 0 ? "" : log.subarray(-bytes).toString();
  },
};

class Wrong extends Error {}

const server = createServer(async (request, response) => {
  try {
    const { pathname, searchParams } = new URL(request.url, "http://box");
    const name = `${request.method} ${pathname}`;
    const secret = String(request.headers["x-box-secret"] ?? "");
    if (owner === undefined && name === "PUT /claim" && secret.length >= minSecretChars) owner = digest(secret);
    if (owner === undefined || !timingSafeEqual(owner, digest(secret))) return response.writeHead(401).end();
    if (!Object.hasOwn(routes, name)) return response.writeHead(404).end();
    const answer = await routes[name](request, searchParams);
    if (answer === undefined) response.writeHead(204).end();
    else response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  } catch (error) {
    response.writeHead(error instanceof Wrong ? 400 : 500).end(error.message);
  }
});

function startIn(body) {
  const isText = (value) => typeof value === "string" && !value.includes("\0");
  try {
    const { command, env = {} } = JSON.parse(body);
    if (command.length > 0 && command.every(isText) && Object.values(env).every(isText)) return { command, env };
  } catch {
    // It is no such thing.
  }
  throw new Wrong('A start is { "command": ["what", "follows", "node"], "env": { "NAME": "text" } }.');
}

function startDaemon({ command, env }) {
  if (daemon !== undefined) return;
  const { PATH } = process.env;
  const child = spawn(process.execPath, command, {
    cwd: places.workspace,
    env: { PATH, HOME: places.home, ...boxEnv, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  daemon = child;
  child.stderr.on("data", (chunk) => {
    log = Buffer.concat([log, chunk]).subarray(-maxLogBytes);
  });
  const ended = (code) => {
    if (daemon !== child) return;
    daemon = undefined;
    exitCode = code;
  };
  child.once("exit", (code, signal) => ended(code ?? 128 + constants.signals[signal]));
  child.once("error", (error) => {
    log = Buffer.from(`${error.message}\n`);
    ended(127);
  });
}

/** A file that is there is replaced at once. Only below the root: all else is not this user's to change, anyway. */
async function writeFile(request, query) {
  const path = query.get("path") ?? "";
  const isBelow = path === normalize(path) && Object.values(places).some((place) => path.startsWith(`${place}/`));
  if (!isBelow || path.endsWith("/")) throw new Wrong(`${path} is not below ${Object.values(places).join(", ")}.`);
  if ((await stat(path).catch(() => undefined))?.isDirectory()) throw new Wrong(`${path} is a directory.`);
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 100)}.${process.hrtime.bigint()}`);
  await mkdir(dirname(path), { recursive: true }).catch((error) => {
    throw new Wrong(error.message);
  });
  try {
    await pipeline(request, createWriteStream(unfinished, { flags: "wx" }));
    await chmod(unfinished, Number.parseInt(query.get("mode") ?? "644", 8));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function end() {
  if (daemon === undefined) process.exit(0);
  daemon.once("exit", () => process.exit(0)).kill("SIGTERM");
  setTimeout(() => process.exit(0), graceMs);
}

for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o700 });
await symlink(programs, join(places.data, "programs")).catch(() => {});
process.once("SIGINT", end);
// Cloudflare sends it when a host is to be free or another image is deployed, and SIGKILL 15 minutes later: turns have so long.
process.once("SIGTERM", () => setTimeout(end, patienceMs));
server.listen(Number(port), "0.0.0.0");
