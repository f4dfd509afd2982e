import type { KubeObject } from "./kube-object.ts";
import { Refusal } from "./status.ts";

/** `a=b,c!=d,e in (f,g),!h,i`: whether an object's labels are so. */
export function matchesLabels(object: KubeObject, selector: string): boolean {
  const { labels = {} } = object.metadata;
  return requirementsOf(selector).every((requirement) => holds(labels, requirement));
}

function requirementsOf(selector: string): string[] {
  return selector.split(/,(?![^(]*\))/).flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

function holds(labels: Readonly<Record<string, string>>, requirement: string): boolean {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(requirement);
  if (set) {
    const values = set[3]!.split(",").map((value) => value.trim());
    return values.includes(labels[set[1]!] ?? "") === (set[2] === "in");
  }
  const comparison = /^([^!=\s]+)\s*(==|=|!=)\s*(.*)$/.exec(requirement);
  if (comparison) {
    const [, key = "", operator, value = ""] = comparison;
    checkLabel(key, value);
    return (labels[key] === value) === (operator !== "!=");
  }
  return requirement.startsWith("!") ? !(requirement.slice(1) in labels) : requirement in labels;
}

/** Only what is asked for by name, which all resources know. */
export function matchesFields({ metadata }: KubeObject, selector: string): boolean {
  return selector.split(",").every((part) => {
    const [field, value] = part.split("=");
    if (field === "metadata.name") return metadata.name === value;
    if (field === "metadata.namespace") return metadata.namespace === value;
    throw new Refusal(400, `field label not supported: ${field}`);
  });
}

/** The rules for labels, which are narrow. */
export function checkLabel(key: string, value: string): void {
  const [name = "", prefix, more] = key.split("/").reverse();
  const isName = name.length <= 63 && /^[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/.test(name);
  const isPrefix = prefix === undefined || (prefix.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(prefix));
  const isValue = value === "" || (value.length <= 63 && /^[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/.test(value));
  if (!isName || !isPrefix || more !== undefined)
    throw new Refusal(
      422,
      `metadata.labels: Invalid value: "${key}": name part must consist of alphanumeric characters, '-', '_' or '.'`,
    );
  if (!isValue)
    throw new Refusal(
      422,
      `metadata.labels: Invalid value: "${value}": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'`,
    );
}
