import { type KubeObject, type Resource, resources } from "./kube-object.ts";

/** Which of agent-sandbox the cluster has: all of it, only what its first releases had, or nothing. */
export type AgentSandbox = "v1beta1" | "v1alpha1" | "none";

/** What the API serves, by group and version. */
export class ServedResources {
  readonly #installed: AgentSandbox;

  constructor(installed: AgentSandbox) {
    this.#installed = installed;
  }

  find(group: string, version: string, plural: string) {
    const found = resources.find((resource) => resource.group === group && resource.plural === plural);
    return found && this.#versionsOf(found).includes(version) ? found : undefined;
  }

  get groups() {
    const named = resources.filter(({ group }) => group !== "");
    return [...new Set(named.map(({ group }) => group))].flatMap((group) => {
      const versions = this.#versionsOf(named.find((resource) => resource.group === group)!);
      const listed = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
      return listed.length === 0 ? [] : [{ name: group, versions: listed, preferredVersion: listed[0] }];
    });
  }

  of(group: string, version: string): readonly Resource[] {
    return resources.filter((resource) => resource.group === group && this.#versionsOf(resource).includes(version));
  }

  #versionsOf({ group, versions }: Resource): readonly string[] {
    if (group === "") return versions;
    if (this.#installed === "none") return [];
    return this.#installed === "v1beta1" ? versions : versions.filter((version) => version === "v1alpha1");
  }
}

/** An object as a version of the API shows it: the first one of Sandbox says with a number whether it runs. */
export function shownAs(object: KubeObject, group: string, version: string): KubeObject {
  if (group === "" || object.apiVersion === `${group}/${version}`) return object;
  const { operatingMode, ...spec } = object.spec;
  const replicas = operatingMode === "Suspended" ? 0 : 1;
  return { ...object, apiVersion: `${group}/${version}`, spec: { ...spec, replicas } };
}

/** And back. */
export function keptAs(object: KubeObject, group: string, version: string): KubeObject {
  if (version !== "v1alpha1" || object.kind !== "Sandbox") return object;
  const { replicas, ...spec } = object.spec;
  return {
    ...object,
    apiVersion: `${group}/v1beta1`,
    spec: { ...spec, operatingMode: replicas === 0 ? "Suspended" : "Running" },
  };
}
