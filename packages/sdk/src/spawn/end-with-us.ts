import { spawn } from "node:child_process";

const atExit = new Set<() => void>();

/**
 * Make sure that a process group does not outlive this process, however that ends; `terminate`, synchronous, ends it.
 * The returned function takes it back.
 *
 * A signal listener would be the obvious way and the wrong one: it switches off that Ctrl-C ends this process, and two
 * libraries that both raise the signal again "unless somebody else listens" wait for each other for ever. Instead a
 * shell reads from a pipe that only we hold; its end comes whatever happened to us, SIGKILL included. Where there is no
 * shell, `exit` has to do.
 */
export function endWithUs(pid: number, terminate: () => void): () => void {
  const dismissShell = process.platform === "win32" ? () => {} : watchFromShell(pid);
  if (atExit.size === 0) process.on("exit", terminateAll);
  atExit.add(terminate);
  return () => {
    dismissShell();
    atExit.delete(terminate);
    if (atExit.size === 0) process.off("exit", terminateAll);
  };
}

function terminateAll(): void {
  for (const terminate of atExit) terminate();
}

function watchFromShell(pid: number): () => void {
  const shell = spawn("/bin/sh", ["-c", 'read -r _; kill -TERM "-$0"', String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
    detached: true,
  });
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref(): void }).unref();
  return () => shell.kill("SIGKILL");
}
