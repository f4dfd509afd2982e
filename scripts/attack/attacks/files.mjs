import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must } from "../daemon.mjs";

const namespaces = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];

/** @type {import("../attacks.mjs").Attack[]} */
export const files = [
  {
    name: "two daemons on one directory in two containers",
    whyNot: () =>
      spawnSync(namespaces[0], [...namespaces.slice(1), "true"]).status === 0
        ? undefined
        : "this user may not make pid namespaces",
    async run(world) {
      await world.start({ within: namespaces });
      const second = await world.start({ within: namespaces }).catch((error) => String(error));
      must(String(second).includes("is in use"), `the second one says ${second}`);
    },
  },
  {
    name: "pipes in the place of settings and of the daemon's own files",
    async run(world) {
      mkdirSync(world.path(".claude"));
      mkdirSync(world.path(".codex"));
      mkdirSync(world.dataDir, { mode: 0o700 });
      const places = [".claude.json", ".claude/settings.json", ".codex/config.toml", ".npmrc", "data/daemon.json"];
      execFileSync(
        "mkfifo",
        places.map((name) => world.path(name)),
      );
      const daemon = await world.start();
      const agents = await daemon.call("GET", "/v1/agents");
      must(agents.status === 200, `GET /v1/agents answers ${agents.status}`);
      await daemon.create("s");
      await daemon.stop();
    },
  },
  {
    name: "a pipe in the place of a log",
    async run(world) {
      const first = await world.start();
      await first.create("s");
      await first.turn("s", "hello");
      await first.stop();
      for (const name of ["events.jsonl", "raw.jsonl", "turns.jsonl", "checkpoint.json"]) {
        rmSync(join(world.sessionFolder, name), { force: true });
        execFileSync("mkfifo", [join(world.sessionFolder, name)]);
      }
      const second = await world.start();
      const list = await second.call("GET", "/v1/sessions");
      must(list.status === 200, `GET /v1/sessions answers ${list.status}`);
      await second.create("other");
      await second.stop();
    },
  },
  {
    name: "a data directory that everybody may write, with links in it",
    async run(world) {
      writeFileSync(world.path("theirs"), "theirs");
      mkdirSync(world.dataDir);
      for (const name of ["owner.new", "format.json.new", "token", "daemon.json"]) {
        symlinkSync(world.path("theirs"), join(world.dataDir, name));
      }
      chmodSync(world.dataDir, 0o777);
      const refused = await world.start().catch((error) => String(error));
      must(String(refused).includes("can be written by everybody"), `it says ${refused}`);
      chmodSync(world.dataDir, 0o700);
      const daemon = await world.start();
      await daemon.create("s");
      must(readFileSync(world.path("theirs"), "utf8") === "theirs", "it wrote through a link");
    },
  },
  {
    name: "what others of the machine may read of the data directory",
    async run(world) {
      const daemon = await world.start();
      await daemon.create("s");
      must((statSync(world.dataDir).mode & 0o077) === 0, "the directory is open to others");
    },
  },
  {
    name: "secrets in what is told of a session",
    async run(world) {
      const daemon = await world.start();
      const mcp = {
        local: { type: "local", command: "true", env: { KEY: "s3cret" }, enabled: false },
        remote: {
          type: "remote",
          url: "http://me:s3cret@127.0.0.1:1/?k=s3cret",
          headers: { A: "s3cret" },
          enabled: false,
        },
      };
      const created = await daemon.call("POST", "/v1/sessions/s", { agent: "mock", mcp });
      must(created.status === 200, created.text);
      for (const path of ["/v1/sessions", "/v1/sessions/s", "/v1/sessions/s/events"]) {
        must(!(await daemon.call("GET", path)).text.includes("s3cret"), `${path} tells a secret`);
      }
      must(!daemon.log.includes("s3cret"), "the log tells a secret");
    },
  },
  {
    name: "names and values that are no environment",
    async run(world) {
      const daemon = await world.start();
      const wrong = [{ "": "s3cret" }, { "A=B": "s3cret" }, { A: "s3cret\0" }, { SANDBOX_AGENT_PROCESS: "s3cret" }];
      for (const env of wrong) {
        const answer = await daemon.call("POST", "/v1/sessions/s", { agent: "mock", env });
        must(answer.status === 400, `${JSON.stringify(env)} answers ${answer.status}`);
        must(!(answer.text + daemon.log).includes("s3cret"), "the value is told");
      }
    },
  },
];
