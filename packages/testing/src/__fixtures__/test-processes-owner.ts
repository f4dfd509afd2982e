import { spawn } from "node:child_process";
import { TestProcesses } from "./test-processes.ts";

/** A program that starts processes as a test does, says which, and waits to be killed. */
const command = "setsid sleep 1000 & echo $!; exec sleep 1000";
const child = new TestProcesses().spawn("/bin/sh", ["-c", command], { env: process.env });
const others = new TestProcesses();
others.watch();
const other = spawn("sleep", ["1000"], {
  env: { ...process.env, ...others.markedEnv },
  detached: true,
  stdio: "ignore",
});
child.stdout.once("data", (pid) => console.log(JSON.stringify([child.pid, Number(pid), other.pid])));
