import { packageArchive } from "@sandbox-agent-ts/testing";
import {
  githubApi,
  githubFiles,
  type ReleaseLayout,
  releaseJson,
  sha256,
  words,
} from "../../../install/__fixtures__/release-layout.ts";
import { program } from "../program.ts";

const base = "https://releases.openai.com/codex";

export const layout: ReleaseLayout = {
  program,
  newest: `${base}/channels/latest`,
  file: (version) => `${base}/releases/${version}/codex-package-${words.rust}.tar.gz`,
  checksum: (version) => `${base}/releases/${version}/release.json`,
  async publish(server, version, script) {
    const name = `codex-package-${words.rust}.tar.gz`;
    const archive = await packageArchive([
      { name: "bin/", type: "directory" },
      { name: "bin/codex", content: script },
      { name: "codex-path/rg", content: "#!/bin/sh\n" },
      { name: "codex-package.json", content: JSON.stringify({ layoutVersion: 1, version, entrypoint: "bin/codex" }) },
    ]);
    const release = releaseJson(`rust-v${version}`, { "another.tar.gz": Buffer.from("x"), [name]: archive });
    server.put(this.newest, release);
    server.put(this.checksum(version), release);
    server.put(this.file(version), archive);
    const mirror = githubFiles("openai/codex", `rust-v${version}`);
    server.put(`${githubApi("openai/codex")}/latest`, release);
    server.put(
      `${mirror}/codex-package_SHA256SUMS`,
      `${sha256(Buffer.from("x"))}  another.tar.gz\n${sha256(archive)}  ${name}\n`,
    );
    server.put(`${mirror}/${name}`, archive);
  },
};
