import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface KubeconfigContents {
  readonly server: string;
  readonly token: string;
  readonly namespace: string;
}

/** A kubeconfig in a directory of its own. */
export class KubeconfigFile {
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "fake-cluster-")));
  readonly path = join(this.#directory, "config");

  write({ server, token, namespace }: KubeconfigContents): void {
    const config = {
      apiVersion: "v1",
      kind: "Config",
      // The official client takes plain HTTP only where it is told not to look at certificates.
      clusters: [{ name: "fake", cluster: { server, "insecure-skip-tls-verify": true } }],
      users: [{ name: "runtime", user: { token } }],
      contexts: [{ name: "fake", context: { cluster: "fake", user: "runtime", namespace } }],
      "current-context": "fake",
    };
    writeFileSync(this.path, JSON.stringify(config, null, 2), { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
