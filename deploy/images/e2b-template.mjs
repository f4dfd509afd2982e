// The daemon and the programs of agents as a template of E2B. install.sh and sandbox-agent/, the daemon, are beside this file:
//   sandbox-agent image template --provider e2b --out DIRECTORY
import { defaultBuildLogger, Template } from "e2b";

const template = Template({ fileContextPath: import.meta.dirname })
  .fromImage("node:20-slim")
  .copy("sandbox-agent", "/opt/sandbox-agent", { user: "root" })
  .copy("install.sh", "/opt/sandbox-agent-install.sh", { user: "root" })
  .runCmd("sh /opt/sandbox-agent-install.sh", { user: "root" });

await Template.build(template, "sandbox-agent", {
  cpuCount: 2,
  memoryMB: 4096,
  onBuildLogs: defaultBuildLogger(),
});
