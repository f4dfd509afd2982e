/** Feared: a page or a manifest that says something else than the provider does. */
import { readdirSync, readFileSync } from "node:fs";
import { loadAllYaml } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { kubernetesSettings, readKubernetesSettings } from "./kubernetes-settings.ts";
import { machineKinds } from "./machine-kinds.ts";
import { rulesFor } from "./role.ts";

const root = new URL("../../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const page = read("docs/kubernetes.mdx");
const blocks = (language: string) =>
  Array.from(page.matchAll(new RegExp(`\`\`\`${language}[^\\n]*\\n([\\s\\S]*?)\`\`\``, "g")), ([, code]) => code!);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
  readonly [field: string]: any;
}

const manifests = readdirSync(new URL("deploy/kubernetes", root))
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => loadAllYaml(read(`deploy/kubernetes/${name}`)) as Manifest[]);
const manifest = (kind: string) => manifests.find((found) => found.kind === kind)!;

test("the page has every setting", () => {
  const [, table = ""] = /## Settings\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const names = Array.from(table.matchAll(/^\| `(\w+)` /gm), ([, name]) => name);
  expect(names).toEqual(Object.keys(kubernetesSettings));
});

test("what it shows as a configuration can be read, and so can the runtime's", () => {
  const shown = [...blocks("json"), manifest("ConfigMap").data["runtime.json"] as string];
  expect(shown).toHaveLength(3);
  for (const { provider, providerSettings } of shown.map((text) => JSON.parse(text))) {
    expect(provider).toBe("kubernetes");
    expect(Object.keys(kubernetesSettings)).toEqual(expect.arrayContaining(Object.keys(providerSettings)));
    expect(readKubernetesSettings(providerSettings, {})).toMatchObject(providerSettings);
  }
});

test("the Role has what the provider needs, and no more, there and on the page", () => {
  const [shown] = blocks("yaml").flatMap((text) => loadAllYaml(text) as Manifest[]);
  const role = manifest("Role");
  expect(role.rules).toEqual(rulesFor("claim"));
  expect(shown).toEqual(role);
  const account = manifest("ServiceAccount").metadata;
  expect(manifest("RoleBinding").subjects).toEqual([{ kind: "ServiceAccount", ...account }]);
  expect(manifest("Deployment").spec.template.spec.serviceAccountName).toBe(account.name);
});

test("every manifest is in one of the two namespaces, and every file is on the page", () => {
  const names = manifests.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
  expect(names).toEqual(["sandbox-agent", "sandboxes"]);
  for (const { kind, metadata } of manifests) if (kind !== "Namespace") expect(names).toContain(metadata.namespace);
  for (const file of readdirSync(new URL("deploy/kubernetes", root))) expect(page).toContain(`\`${file}\``);
});

test("pods of the warm pool are as those that the provider makes", () => {
  const settings = readKubernetesSettings({ image: "registry.example.com/sandbox-agent:1", programs: "image" }, {});
  const ours = machineKinds.pod.body("name", 0, { labels: {}, bundle: "/" }, settings).spec!;
  const theirs = manifest("SandboxTemplate").spec.podTemplate.spec;
  const common = [
    "securityContext",
    "automountServiceAccountToken",
    "enableServiceLinks",
    "terminationGracePeriodSeconds",
  ];
  for (const field of common) expect(theirs[field], field).toEqual(ours[field]);
  const [own] = ours.containers as [Record<string, unknown>];
  for (const field of ["image", "ports", "securityContext"])
    expect(theirs.containers[0][field], field).toEqual(own[field]);
});
