import { copyFileSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot } from "../root.mjs";
import { executableName, platformPackage } from "./platforms.mjs";

/** What the packages of the platforms have in common with the CLI's. */
const sharedFields = ["version", "license", "author", "repository", "homepage", "bugs", "keywords"];

const noticeFiles = ["LICENSE-node.txt", "THIRD-PARTY-NOTICES.txt"];

/** Write the package that carries a platform's executable, ready for `npm publish`; answers its folder. */
export function writePlatformPackage(platform, executables) {
  const { name, binary } = platformPackage(platform);
  const folder = join(executables, "packages", name.replace(/^@.*\//, ""));
  mkdirSync(join(folder, dirname(binary)), { recursive: true });
  // A second name of the same file: there is a hundred megabytes in it.
  linkSync(join(executables, executableName(platform)), join(folder, binary));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(platform), undefined, 2)}\n`);
  writeFileSync(join(folder, "README.md"), readme(platform));
  copyFileSync(inRoot("LICENSE"), join(folder, "LICENSE"));
  for (const notices of noticeFiles) copyFileSync(join(executables, notices), join(folder, notices));
  return folder;
}

function manifest(platform) {
  const cli = JSON.parse(readFileSync(inRoot("packages/cli/package.json"), "utf8"));
  const shared = Object.fromEntries(sharedFields.filter((key) => key in cli).map((key) => [key, cli[key]]));
  const repository = shared.repository && { repository: { ...shared.repository, directory: "packages/cli" } };
  const [os, cpu] = platform.split("-");
  return {
    name: platformPackage(platform).name,
    description: `The sandbox-agent command for ${platform}, as one executable that needs no Node`,
    ...shared,
    ...repository,
    os: [os],
    cpu: [cpu],
    ...(os === "linux" ? { libc: ["glibc"] } : {}),
    files: ["bin", ...noticeFiles],
    preferUnplugged: true,
    publishConfig: { access: "public" },
  };
}

function readme(platform) {
  const { name, binary } = platformPackage(platform);
  return `# ${name}

The \`sandbox-agent\` command for ${platform} as one executable (\`${binary}\`). It needs no Node: its own is inside, under
the licence in LICENSE-node.txt; what else is inside is in THIRD-PARTY-NOTICES.txt. \`SandboxAgent.start()\` of \`@sandbox-agent-ts/sdk\` uses it when it is installed.
`;
}
