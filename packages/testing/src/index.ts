export { createFakeAgent } from "./fake-agent-adapter.ts";
export { fakeAgentPath } from "./fake-agent-path.ts";
export type { FakeSessionLimits } from "./fake-agent-session.ts";
export * from "./model/index.ts";
export { NpmRegistry } from "./npm-registry/npm-registry.ts";
export { type PackageFiles, packageArchive } from "./npm-registry/package-archive.ts";
