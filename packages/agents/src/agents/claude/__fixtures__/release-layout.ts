import {
  type ReleaseLayout,
  rawSignature,
  sha256,
  signedWithOurs,
  words,
} from "../../../install/__fixtures__/release-layout.ts";
import { program } from "../program.ts";

const base = "https://downloads.claude.ai/claude-code-releases";
const prefix = "claude-code-manifest-v1\0";

export const layout: ReleaseLayout = {
  program: signedWithOurs(program),
  newest: `${base}/latest`,
  file: (version) => `${base}/${version}/${words.node}/claude`,
  checksum: (version) => `${base}/${version}/manifest.json`,
  async publish(server, version, script) {
    const checksum = sha256(Buffer.from(script));
    const platform = { binary: "claude", checksum, size: script.length };
    const manifest = JSON.stringify({
      version,
      manifestSignatureEnforcement: "flag",
      platforms: { [words.node]: platform },
    });
    server.put(this.newest, `${version}\n`);
    server.put(this.file(version), script);
    server.put(this.checksum(version), manifest);
    server.put(`${this.checksum(version)}.raw-sig.json`, rawSignature(prefix + manifest));
  },
};
