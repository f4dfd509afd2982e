import {
  githubApi,
  githubFiles,
  type ReleaseLayout,
  releaseJson,
  tarOf,
  words,
} from "../../../install/__fixtures__/release-layout.ts";
import { program } from "../program.ts";

export const layout: ReleaseLayout = {
  program,
  newest: `${githubApi("anomalyco/opencode")}/latest`,
  file: (version) => `${githubFiles("anomalyco/opencode", `v${version}`)}/opencode-${words.node}.tar.gz`,
  checksum: (version) => `${githubApi("anomalyco/opencode")}/tags/v${version}`,
  async publish(server, version, script) {
    const archive = await tarOf({ opencode: script });
    const release = releaseJson(`v${version}`, { [`opencode-${words.node}.tar.gz`]: archive });
    server.put(this.newest, release);
    server.put(this.checksum(version), release);
    server.put(this.file(version), archive);
  },
};
