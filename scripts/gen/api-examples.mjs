/**
 * An example of each operation for the documentation, which a test runs against a daemon (packages/sdk/src/api-examples.e2e.test.ts).
 *
 * `params` fills the path, `sdk` is what the same looks like in TypeScript. The test makes what the example `needs`: a session
 * `first` (also in the directory /home/me/project), in which a permission or a question waits, a message waits behind a turn, or
 * a turn has ended. It puts the real ids in the place of `perm_1`, `question_1` and `turn_1`. `stream`: it goes on for ever.
 */
const session = { sessionId: "first" };

export const apiExamples = {
  getServerInfo: { sdk: "console.log((await client.getServerInfo()).version);" },
  getOpenApi: { sdk: "console.log(Object.keys(await client.getOpenApi()));" },
  getHealth: {
    query: { details: "true" },
    sdk: "console.log((await client.getHealth({ details: true })).memory?.rss);",
  },
  listAgents: {
    sdk: `const { agents } = await client.listAgents();
console.log(agents.filter(({ installed }) => installed).map(({ id, version }) => [id, version]));`,
  },
  installAgent: {
    params: { agent: "mock" },
    body: { reinstall: false },
    sdk: `await client.installAgent("mock", {}, {
  onProgress: (progress) => console.log(progress.program, progress.step),
});`,
  },
  getAgentModes: { params: { agent: "mock" }, sdk: 'console.log((await client.getAgentModes("mock")).modes);' },
  getAgentModels: { params: { agent: "mock" }, sdk: 'console.log((await client.getAgentModels("mock")).models);' },
  listSessions: {
    needs: "session",
    query: { limit: "10", status: "idle,running" },
    sdk: `for await (const { sessionId, status } of client.iterateSessions({ status: ["idle", "running"] }))
  console.log(sessionId, status);`,
  },
  getSessionListSse: {
    needs: "session",
    stream: true,
    sdk: `for await (const event of client.streamSessions()) {
  console.log(event.type);
  break;
}`,
  },
  createSession: {
    params: { sessionId: "second" },
    body: { agent: "mock", permissionMode: "acceptEdits", title: "First try" },
    sdk: 'await client.createSession("second", { agent: "mock", permissionMode: "acceptEdits", title: "First try" });',
  },
  getSession: { needs: "session", params: session, sdk: 'console.log((await client.getSession("first")).status);' },
  updateSession: {
    needs: "session",
    params: session,
    body: { permissionMode: "plan", title: "Only look" },
    sdk: 'await client.updateSession("first", { permissionMode: "plan", title: "Only look" });',
  },
  deleteSession: { needs: "session", params: session, sdk: 'await client.deleteSession("first");' },
  postMessage: {
    needs: "session",
    params: session,
    body: { message: "hello" },
    sdk: 'const { turnId } = await client.postMessage("first", { message: "hello" });\nconsole.log(turnId);',
  },
  postMessageStream: {
    needs: "session",
    params: session,
    body: { message: "hello" },
    sdk: `for await (const event of client.streamTurn("first", { message: "hello" }))
  if (event.type === "item.delta") console.log(event.data.delta);`,
  },
  listTurns: {
    needs: "waiting",
    params: session,
    sdk: 'const { runningTurnId, waiting } = await client.listTurns("first");\nconsole.log(runningTurnId, waiting.length);',
  },
  withdrawTurn: {
    needs: "waiting",
    params: { ...session, turnId: "turn_1" },
    sdk: 'await client.withdrawTurn("first", "turn_1");',
  },
  interruptSession: { needs: "waiting", params: session, sdk: 'await client.interruptSession("first");' },
  terminateSession: { needs: "session", params: session, sdk: 'await client.terminateSession("first");' },
  getEvents: {
    needs: "turn",
    params: session,
    query: { offset: "0", limit: "100" },
    sdk: `const { events, hasMore } = await client.getEvents("first", { offset: 0, limit: 100 });
console.log(events.at(-1)?.sequence, hasMore);`,
  },
  getEventsSse: {
    needs: "turn",
    params: session,
    query: { offset: "2" },
    stream: true,
    sdk: `for await (const event of client.streamEvents("first", { offset: 2 })) {
  console.log(event.sequence, event.type);
  if (event.type === "turn.ended") break;
}`,
  },
  getDiff: {
    needs: "turn",
    params: session,
    query: { format: "summary" },
    sdk: 'const { files } = await client.getDiff("first", { format: "summary" });\nconsole.log(files.map(({ path }) => path));',
  },
  replyQuestion: {
    needs: "question",
    params: { ...session, questionId: "question_1" },
    body: { answers: [["Blue"]] },
    sdk: 'await client.replyQuestion("first", "question_1", { answers: [["Blue"]] });',
  },
  rejectQuestion: {
    needs: "question",
    params: { ...session, questionId: "question_1" },
    sdk: 'await client.rejectQuestion("first", "question_1");',
  },
  replyPermission: {
    needs: "permission",
    params: { ...session, permissionId: "perm_1" },
    body: { reply: "reject", reason: "Keep the build folder." },
    sdk: 'await client.replyPermission("first", "perm_1", { reply: "reject", reason: "Keep the build folder." });',
  },
  listFsEntries: {
    needs: "session",
    query: { path: ".", sessionId: "first" },
    sdk: 'for (const { name, entryType } of await client.listFsEntries({ path: ".", sessionId: "first" }))\n  console.log(name, entryType);',
  },
  readFsFile: {
    needs: "session",
    query: { path: "notes.txt", sessionId: "first" },
    sdk: `const bytes = await client.readFsFile({ path: "notes.txt", sessionId: "first" });
console.log(new TextDecoder().decode(bytes));`,
  },
  writeFsFile: {
    needs: "session",
    query: { path: "drafts/plan.md", sessionId: "first" },
    upload: "notes.txt",
    sdk: 'await client.writeFsFile({ path: "drafts/plan.md", sessionId: "first" }, "# Plan\\n");',
  },
  deleteFsEntry: {
    needs: "session",
    query: { path: "drafts", sessionId: "first", recursive: "true" },
    sdk: 'await client.deleteFsEntry({ path: "drafts", sessionId: "first", recursive: true });',
  },
  mkdirFs: {
    needs: "session",
    query: { path: "drafts/2026", sessionId: "first" },
    sdk: 'await client.mkdirFs({ path: "drafts/2026", sessionId: "first" });',
  },
  moveFs: {
    needs: "session",
    query: { sessionId: "first" },
    body: { from: "notes.txt", to: "old-notes.txt", overwrite: true },
    sdk: 'await client.moveFs({ from: "notes.txt", to: "old-notes.txt", overwrite: true }, { sessionId: "first" });',
  },
  statFs: {
    needs: "session",
    query: { path: "notes.txt", sessionId: "first" },
    sdk: 'console.log((await client.statFs({ path: "notes.txt", sessionId: "first" })).size);',
  },
  uploadFsBatch: {
    needs: "session",
    query: { path: "site", sessionId: "first" },
    upload: "site.tar",
    sdk: `import { readFile } from "node:fs/promises";

await client.uploadFsBatch(await readFile("site.tar"), { path: "site", sessionId: "first" });`,
  },
  deleteFsBatch: {
    needs: "session",
    query: { sessionId: "first" },
    body: { paths: ["drafts", "old-notes.txt"] },
    sdk: 'const { missing } = await client.deleteFsBatch({ paths: ["drafts", "old-notes.txt"] }, { sessionId: "first" });\nconsole.log(missing);',
  },
  getFsManifest: {
    needs: "session",
    query: { path: ".", sessionId: "first" },
    sdk: `for await (const line of client.streamFsManifest({ path: ".", sessionId: "first" }))
  if (line.type === "file") console.log(line.path, line.hash);`,
  },
  packFs: {
    needs: "session",
    query: { path: ".", sessionId: "first" },
    body: { paths: ["notes.txt"] },
    output: "notes.tar",
    sdk: `import { writeFile } from "node:fs/promises";

await writeFile("notes.tar", await client.packFs({ paths: ["notes.txt"] }, { path: ".", sessionId: "first" }));`,
  },
  getFsChangesSse: {
    needs: "session",
    query: { path: ".", sessionId: "first" },
    stream: true,
    sdk: `for await (const change of client.streamFsChanges({ path: ".", sessionId: "first" })) {
  console.log(change.type);
  break;
}`,
  },
};
