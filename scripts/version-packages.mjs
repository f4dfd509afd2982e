// `npm run version-packages`: what the files in .changeset say becomes the next version and its part of CHANGELOG.md.
import { readFileSync, writeFileSync } from "node:fs";
import getReleasePlan from "@changesets/get-release-plan";
import { inRoot } from "./root.mjs";
import { runNode, runNpm } from "./run.mjs";

const titles = { major: "Breaking changes", minor: "New", patch: "Fixed" };
const changelog = inRoot("CHANGELOG.md");

/** A release's part of the changelog: each change once, however many packages it touches, under its largest step. */
export function releaseNotes({ changesets, releases }, date) {
  const version = releases.find(({ type }) => type !== "none")?.newVersion;
  if (version === undefined) return undefined;
  const sections = Object.entries(titles).flatMap(([step, title]) => {
    const changes = changesets.filter((changeset) => largestStep(changeset) === step);
    const points = changes.map(({ summary }) => `- ${summary.trim().replaceAll("\n", "\n  ")}`);
    return points.length === 0 ? [] : [`### ${title}\n\n${points.join("\n")}\n`];
  });
  return `## ${version} (${date})\n\n${sections.join("\n")}`;
}

const largestStep = ({ releases }) => Object.keys(titles).find((step) => releases.some(({ type }) => type === step));

/** Put a release before the newest one. */
export function withRelease(text, notes) {
  const newest = text.indexOf("\n## ");
  return newest === -1
    ? `${text.trimEnd()}\n\n${notes}`
    : `${text.slice(0, newest + 1)}${notes}\n${text.slice(newest + 1)}`;
}

async function main() {
  const notes = releaseNotes(await getReleasePlan(inRoot()), new Date().toISOString().slice(0, 10));
  if (notes === undefined) {
    console.error("There is nothing to release: .changeset has no file with a change. `npm run changeset` writes one.");
    return 1;
  }
  writeFileSync(changelog, withRelease(readFileSync(changelog, "utf8"), notes));
  return (
    (await runNode([inRoot("node_modules/@changesets/cli/bin.js"), "version"])) ||
    (await runNode([inRoot("scripts/gen.mjs")])) ||
    (await runNpm(["install", "--package-lock-only", "--loglevel=error"]))
  );
}

if (process.argv[1] === import.meta.filename) process.exitCode = await main();
