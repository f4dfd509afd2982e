// Required into a process by NODE_OPTIONS: writes its largest resident size, in bytes, to the file named by PEAK_MEMORY_FILE.
const { readFileSync, writeFileSync } = require("node:fs");

process.on("exit", () => {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  writeFileSync(process.env.PEAK_MEMORY_FILE, String(kibibytes * 1024));
});
