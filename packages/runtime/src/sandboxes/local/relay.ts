import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { relayedPort, relayProgram } from "../relay-program.ts";
import { inside } from "./bubblewrap.ts";
import type { SandboxFolder } from "./sandbox-folder.ts";

const place = "/opt/relay.cjs";

/** Arguments for bubblewrap and for Node that let a daemon without a network be reached from outside. */
export function relay({ ctl }: SandboxFolder, command: readonly string[]): { mount: string[]; command: string[] } {
  const file = join(ctl, "relay.cjs");
  writeFileSync(file, relayProgram, { mode: 0o644 });
  const listening = ["--host", "127.0.0.1", "--port", String(relayedPort)];
  return {
    mount: ["--ro-bind", file, place],
    command: [place, join(inside.run, "daemon.sock"), ...command, ...listening],
  };
}
