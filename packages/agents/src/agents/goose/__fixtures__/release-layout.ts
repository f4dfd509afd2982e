import { packageArchive } from "@sandbox-agent-ts/testing";
import {
  githubApi,
  githubFiles,
  type ReleaseLayout,
  releaseJson,
  words,
} from "../../../install/__fixtures__/release-layout.ts";
import { program } from "../program.ts";

export const layout: ReleaseLayout = {
  program,
  newest: `${githubApi("aaif-goose/goose")}/latest`,
  file: (version) => `${githubFiles("aaif-goose/goose", `v${version}`)}/goose-${words.gnu}.tar.gz`,
  checksum: (version) => `${githubApi("aaif-goose/goose")}/tags/v${version}`,
  async publish(server, version, script) {
    const archive = await packageArchive([
      { name: "./", type: "directory" },
      { name: "./goose", content: script },
    ]);
    const release = releaseJson(`v${version}`, { [`goose-${words.gnu}.tar.gz`]: archive });
    server.put(this.newest, release);
    server.put(this.checksum(version), release);
    server.put(this.file(version), archive);
  },
};
