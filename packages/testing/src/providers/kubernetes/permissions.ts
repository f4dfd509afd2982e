/** A rule of a Role, as RBAC has it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface Access {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/exec`. */
  readonly resource: string;
}

/** What the account may do, and what it did: one line each, e.g. `get pods`, `create sandboxes.agents.x-k8s.io`. */
export class Permissions {
  readonly used = new Set<string>();
  readonly refused = new Set<string>();
  readonly #rules: readonly PolicyRule[] | undefined;

  /** Without rules everything is allowed. */
  constructor(rules?: readonly PolicyRule[]) {
    this.#rules = rules;
  }

  allows({ verb, group, resource }: Access): boolean {
    const isMeant = (given: readonly string[], wanted: string) => given.includes(wanted) || given.includes("*");
    return (
      this.#rules === undefined ||
      this.#rules.some(
        ({ apiGroups, resources, verbs }) =>
          isMeant(apiGroups, group) && isMeant(resources, resource) && isMeant(verbs, verb),
      )
    );
  }

  use(access: Access): boolean {
    const allowed = this.allows(access);
    (allowed ? this.used : this.refused).add(lineOf(access));
    return allowed;
  }
}

export function lineOf({ verb, group, resource }: Access): string {
  const [plural, subresource] = resource.split("/");
  return `${verb} ${plural}${group === "" ? "" : `.${group}`}${subresource === undefined ? "" : `/${subresource}`}`;
}
