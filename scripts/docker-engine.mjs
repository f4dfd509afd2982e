// `node scripts/docker-engine.mjs directory pid`: a Docker engine of its own for tests, for as long as that process lives.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { installDebianPackage } from "./debian-package.mjs";

/** Set for the workers of one run: where its engine is, if a test has asked for one. */
export const engineVariable = "SANDBOX_AGENT_TEST_DOCKER";
export const defaultSocket = "/var/run/docker.sock";
const program = fileURLToPath(import.meta.url);
const lookEveryMs = 200;

/** Have an engine for the tests of containers, unless one is there. */
export async function ensureDocker() {
  const isThere = process.env.DOCKER_HOST || existsSync(defaultSocket) || hasDockerd();
  if (!isThere && process.platform === "linux") await installDebianPackage("docker.io", "the tests of containers");
}

/** Debian puts it where only root's PATH looks. */
function dockerd() {
  const places = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/sbin"];
  return places.map((place) => join(place, "dockerd")).find((path) => existsSync(path));
}

export function hasDockerd() {
  return dockerd() !== undefined;
}

export const socketOf = (directory) => join(directory, "docker.sock");

/** Start one in the background. It ends with the process that is named; `endEngine` ends it sooner. */
export function startEngine(directory, pid) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  spawn(process.execPath, [program, directory, String(pid)], { detached: true, stdio: "ignore" }).unref();
}

/** End it and wait until nothing of it is left. */
export async function endEngine(directory) {
  writeFileSync(join(directory, "end"), "");
  while (existsSync(join(directory, "guard.pid"))) await sleep(lookEveryMs);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** What the engine said last. */
export function engineLog(directory) {
  try {
    return readFileSync(join(directory, "log"), "utf8").slice(-2_000);
  } catch {
    return "";
  }
}

/** Neither rules nor forwarding are changed: a container reaches this machine by the bridge, and nothing else. */
function engineArguments(directory, bridge) {
  return [
    ...["--data-root", join(directory, "data"), "--exec-root", join(directory, "exec")],
    ...["-H", `unix://${socketOf(directory)}`, "--pidfile", join(directory, "dockerd.pid")],
    ...["--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false", "--bridge", bridge],
  ];
}

/** A bridge of its own, so that engines of several runs do not share one. */
function makeBridge(pid) {
  const bridge = `sa-test-${pid}`.slice(0, 15);
  const subnet = `10.${200 + (pid % 50)}.${pid % 250}.1/24`;
  spawnSync("ip", ["link", "add", bridge, "type", "bridge"]);
  spawnSync("ip", ["addr", "add", subnet, "dev", bridge]);
  spawnSync("ip", ["link", "set", bridge, "up"]);
  return bridge;
}

async function guard(directory, pid) {
  const marker = join(directory, "guard.pid");
  writeFileSync(marker, String(process.pid));
  const bridge = makeBridge(process.pid);
  const isWanted = () => isAlive(pid) && !existsSync(join(directory, "end"));
  while (isWanted()) {
    const log = openSync(join(directory, "log"), "a");
    const engine = spawn(dockerd(), engineArguments(directory, bridge), { stdio: ["ignore", log, log] });
    closeSync(log);
    const ended = new Promise((resolve) => engine.once("exit", resolve).once("error", resolve));
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (isWanted() && !isOver) await sleep(lookEveryMs);
    if (!isOver) engine.kill("SIGTERM");
    await ended;
    // A test may have ended it, to see it come back.
    if (isWanted()) await sleep(lookEveryMs);
  }
  spawnSync("ip", ["link", "del", bridge]);
  for (const path of mountsBelow(directory)) spawnSync("umount", ["--lazy", path]);
  for (const name of readdirSync(directory)) {
    if (name !== "guard.pid") rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 5 });
  }
  rmSync(marker);
  if (!isAlive(pid)) rmSync(directory, { recursive: true, force: true });
}

function mountsBelow(directory) {
  const lines = readFileSync("/proc/self/mounts", "utf8").split("\n");
  return lines
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${directory}/`))
    .toReversed();
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === program) await guard(process.argv[2], Number(process.argv[3]));
