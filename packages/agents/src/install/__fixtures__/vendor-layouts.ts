import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { gzipSync } from "node:zlib";
import { packageArchive } from "@sandbox-agent-ts/testing";
import { program as amp } from "../../agents/amp/program.ts";
import { program as claude } from "../../agents/claude/program.ts";
import { program as codex } from "../../agents/codex/program.ts";
import { program as copilot } from "../../agents/copilot/program.ts";
import { program as goose } from "../../agents/goose/program.ts";
import { program as opencode } from "../../agents/opencode/program.ts";
import type { AgentProgram } from "../agent-program.ts";
import type { ReleaseServer } from "./release-server.ts";

/** The vendors' words for the platforms that these layouts are written down for. */
const platforms = {
  "linux-x64": { node: "linux-x64", rust: "x86_64-unknown-linux-musl", goose: "x86_64-unknown-linux-gnu" },
  "linux-arm64": { node: "linux-arm64", rust: "aarch64-unknown-linux-musl", goose: "aarch64-unknown-linux-gnu" },
};
export const words = platforms[`${process.platform}-${process.arch}` as keyof typeof platforms];

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const prefix = "claude-code-manifest-v1\0";

const madeUpKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicKey = madeUpKey.publicKey.export({ type: "spki", format: "pem" }).toString();

export interface Layout {
  readonly program: AgentProgram;
  /** Where the file and what it hashes to are, and what says the newest version. */
  file(version: string): string;
  checksum(version: string): string;
  readonly newest: string;
  /** Publishes a release whose executable is this script, as the newest. */
  publish(server: ReleaseServer, version: string, script: string): Promise<void>;
}

const githubApi = (repository: string) => `https://api.github.com/repos/${repository}/releases`;
const githubFiles = (repository: string, tag: string) => `https://github.com/${repository}/releases/download/${tag}`;

const tarOf = (entries: Readonly<Record<string, string>>) =>
  packageArchive(Object.entries(entries).map(([name, content]) => ({ name, content })));

const releaseJson = (tag: string, assets: Readonly<Record<string, Uint8Array>>) => ({
  tag_name: tag,
  prerelease: false,
  assets: Object.entries(assets).map(([name, bytes]) => ({
    name,
    state: "uploaded",
    digest: `sha256:${sha256(bytes)}`,
    browser_download_url: `https://example.invalid/${name}`,
  })),
});

const claudeBase = "https://downloads.claude.ai/claude-code-releases";
const codexBase = "https://releases.openai.com/codex";
const ampBase = "https://static.ampcode.com/cli";

/** The program, with the made-up key in the place of its vendor's. */
function signedWithOurs(program: AgentProgram): AgentProgram {
  const host = program.vendor!.hosts[0];
  if (host.checksum.kind !== "manifest" || !host.checksum.signature) throw new Error("It is not signed.");
  const checksum = { ...host.checksum, signature: { ...host.checksum.signature, publicKey } };
  return { ...program, vendor: { ...program.vendor!, hosts: [{ ...host, checksum }] } };
}

export function rawSignature(manifest: string, key = madeUpKey) {
  const der = key.publicKey.export({ type: "spki", format: "der" });
  return {
    schema: 1,
    algorithm: "RSASSA-PKCS1-v1_5-SHA512",
    signature: sign("RSA-SHA512", Buffer.from(prefix + manifest), key.privateKey).toString("base64"),
    publicKeySha256: sha256(der),
  };
}

/** The layouts as the vendors have them, written down and not taken from our descriptions. */
export const layouts: Readonly<Record<string, Layout>> = {
  claude: {
    program: signedWithOurs(claude),
    newest: `${claudeBase}/latest`,
    file: (version) => `${claudeBase}/${version}/${words.node}/claude`,
    checksum: (version) => `${claudeBase}/${version}/manifest.json`,
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
      server.put(`${this.checksum(version)}.raw-sig.json`, rawSignature(manifest));
    },
  },
  codex: {
    program: codex,
    newest: `${codexBase}/channels/latest`,
    file: (version) => `${codexBase}/releases/${version}/codex-package-${words.rust}.tar.gz`,
    checksum: (version) => `${codexBase}/releases/${version}/release.json`,
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
  },
  opencode: {
    program: opencode,
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
  },
  amp: {
    program: amp,
    newest: `${ampBase}/cli-version.txt`,
    file: (version) => `${ampBase}/${version}/amp-${words.node}.gz`,
    checksum: (version) => `${ampBase}/${version}/${words.node}-amp.sha256`,
    async publish(server, version, script) {
      server.put(this.newest, version);
      server.put(this.file(version), gzipSync(script));
      server.put(this.checksum(version), sha256(Buffer.from(script)));
    },
  },
  goose: {
    program: goose,
    newest: `${githubApi("aaif-goose/goose")}/latest`,
    file: (version) => `${githubFiles("aaif-goose/goose", `v${version}`)}/goose-${words.goose}.tar.gz`,
    checksum: (version) => `${githubApi("aaif-goose/goose")}/tags/v${version}`,
    async publish(server, version, script) {
      const archive = await packageArchive([
        { name: "./", type: "directory" },
        { name: "./goose", content: script },
      ]);
      const release = releaseJson(`v${version}`, { [`goose-${words.goose}.tar.gz`]: archive });
      server.put(this.newest, release);
      server.put(this.checksum(version), release);
      server.put(this.file(version), archive);
    },
  },
  copilot: {
    program: copilot,
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
  },
};
