import { gzipSync } from "node:zlib";
import { type ReleaseLayout, sha256, words } from "../../../install/__fixtures__/release-layout.ts";
import { program } from "../program.ts";

const base = "https://static.ampcode.com/cli";

export const layout: ReleaseLayout = {
  program,
  newest: `${base}/cli-version.txt`,
  file: (version) => `${base}/${version}/amp-${words.node}.gz`,
  checksum: (version) => `${base}/${version}/${words.node}-amp.sha256`,
  async publish(server, version, script) {
    server.put(this.newest, version);
    server.put(this.file(version), gzipSync(script));
    server.put(this.checksum(version), sha256(Buffer.from(script)));
  },
};
