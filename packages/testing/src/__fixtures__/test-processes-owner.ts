import { TestProcesses } from "./test-processes.ts";

/** A program that starts processes as a test does, says which, and waits to be killed. */
const command = "setsid sleep 1000 & echo $!; exec sleep 1000";
const child = new TestProcesses().spawn("/bin/sh", ["-c", command], { env: process.env });
child.stdout.once("data", (pid) => console.log(JSON.stringify([child.pid, Number(pid)])));
