import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readdirSync } from "node:fs";
import { packageArchive } from "@sandbox-agent-ts/testing";
import type { AgentProgram } from "../agent-program.ts";
import type { ReleaseServer } from "./release-server.ts";

/** The vendors' words for the platforms that layouts are written down for. */
const platforms = {
  "linux-x64": { node: "linux-x64", rust: "x86_64-unknown-linux-musl", gnu: "x86_64-unknown-linux-gnu" },
  "linux-arm64": { node: "linux-arm64", rust: "aarch64-unknown-linux-musl", gnu: "aarch64-unknown-linux-gnu" },
};
export const words = platforms[`${process.platform}-${process.arch}` as keyof typeof platforms];

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/**
 * A vendor's releases as the vendor has them, written down and not taken from our description: the file
 * `agents/<id>/__fixtures__/release-layout.ts` exports one as `layout`.
 */
export interface ReleaseLayout {
  readonly program: AgentProgram;
  /** Where the file is, what it hashes to, and what says the newest version. */
  file(version: string): string;
  checksum(version: string): string;
  readonly newest: string;
  /** Publishes a release whose executable is this script, as the newest. */
  publish(server: ReleaseServer, version: string, script: string): Promise<void>;
}

/** By agent. */
export async function releaseLayouts(): Promise<Readonly<Record<string, ReleaseLayout>>> {
  const agents = new URL("../../agents/", import.meta.url);
  const names = readdirSync(agents, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("/__fixtures__/release-layout.ts"),
  );
  const all = await Promise.all(
    names.sort().map(async (name) => [name.split("/")[0], (await import(new URL(name, agents).href)).layout]),
  );
  return Object.fromEntries(all);
}

export const githubApi = (repository: string) => `https://api.github.com/repos/${repository}/releases`;
export const githubFiles = (repository: string, tag: string) =>
  `https://github.com/${repository}/releases/download/${tag}`;

/** An archive with these files, and nothing around them. */
export const tarOf = (entries: Readonly<Record<string, string>>) =>
  packageArchive(Object.entries(entries).map(([name, content]) => ({ name, content })));

/** A release as GitHub describes it. */
export const releaseJson = (tag: string, assets: Readonly<Record<string, Uint8Array>>) => ({
  tag_name: tag,
  prerelease: false,
  assets: Object.entries(assets).map(([name, bytes]) => ({
    name,
    state: "uploaded",
    digest: `sha256:${sha256(bytes)}`,
    browser_download_url: `https://example.invalid/${name}`,
  })),
});

const madeUpKey = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The program, with a made-up key in the place of its vendor's. */
export function signedWithOurs(program: AgentProgram): AgentProgram {
  const host = program.vendor!.hosts[0];
  if (host.checksum.kind !== "manifest" || !host.checksum.signature) throw new Error("It is not signed.");
  const publicKey = madeUpKey.publicKey.export({ type: "spki", format: "pem" }).toString();
  const checksum = { ...host.checksum, signature: { ...host.checksum.signature, publicKey } };
  return { ...program, vendor: { ...program.vendor!, hosts: [{ ...host, checksum }] } };
}

/** A signature of these bytes, as it is published beside them. */
export function rawSignature(signed: string, key = madeUpKey) {
  return {
    schema: 1,
    algorithm: "RSASSA-PKCS1-v1_5-SHA512",
    signature: sign("RSA-SHA512", Buffer.from(signed), key.privateKey).toString("base64"),
    publicKeySha256: sha256(key.publicKey.export({ type: "spki", format: "der" })),
  };
}
