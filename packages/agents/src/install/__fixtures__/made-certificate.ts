import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findOnPath } from "../find-executable.ts";
import { temporaryDirectory } from "./installer-world.ts";

/** For titles of tests that need certificates; empty where they can be made. */
export const noOpenssl = (await findOnPath("openssl", process.env.PATH))
  ? ""
  : " (skipped: the program openssl is not here)";

/** A certificate that nobody vouches for, of a name and of this machine. */
export async function madeCertificate(name: string): Promise<{ key: Buffer; cert: Buffer; certFile: string }> {
  const directory = await temporaryDirectory();
  const [keyFile, certFile] = [join(directory, "key.pem"), join(directory, "cert.pem")] as const;
  const subject = [
    "-subj",
    `/CN=${name}`,
    "-addext",
    `subjectAltName=DNS:${name},IP:127.0.0.1`,
    "-days",
    "1",
    "-nodes",
  ];
  await promisify(execFile)("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-keyout", keyFile, "-out", certFile],
    ...subject,
  ]);
  return { key: await readFile(keyFile), cert: await readFile(certFile), certFile };
}
