#!/usr/bin/env node
"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");

const bundle = join(__dirname, "..", "dist", "sandbox-agent.cjs");

if (existsSync(bundle)) {
  require(bundle);
} else {
  console.error("sandbox-agent is not built yet. Run `npm run build` (or `npm start`) in its repository first.");
  process.exitCode = 1;
}
