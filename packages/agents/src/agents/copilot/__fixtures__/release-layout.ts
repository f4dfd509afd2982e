import {
  githubApi,
  githubFiles,
  type ReleaseLayout,
  releaseJson,
  sha256,
  tarOf,
  words,
} from "../../../install/__fixtures__/release-layout.ts";
import { program } from "../program.ts";

export const layout: ReleaseLayout = {
  program,
  newest: `${githubApi("github/copilot-cli")}/latest`,
  file: (version) => `${githubFiles("github/copilot-cli", `v${version}`)}/copilot-${words.node}.tar.gz`,
  checksum: (version) => `${githubFiles("github/copilot-cli", `v${version}`)}/SHA256SUMS.txt`,
  async publish(server, version, script) {
    const name = `copilot-${words.node}.tar.gz`;
    const archive = await tarOf({ copilot: script });
    server.put(this.newest, releaseJson(`v${version}`, { [name]: archive }));
    server.put(this.checksum(version), `${sha256(archive)}  ${name}\n`);
    server.put(this.file(version), archive);
  },
};
