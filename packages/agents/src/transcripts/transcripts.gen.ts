// Made by `npm run gen` from the folders in agents/. Do not edit.

import { parseTranscript as parseTranscript_claude } from "../agents/claude/transcript.ts";
import { readTranscript as readTranscript_claude } from "../agents/claude/transcript.ts";
import { writeTranscript as writeTranscript_claude } from "../agents/claude/write-transcript.ts";
import { parseTranscript as parseTranscript_codex } from "../agents/codex/transcript.ts";
import { readTranscript as readTranscript_codex } from "../agents/codex/transcript.ts";
import { writeTranscript as writeTranscript_codex } from "../agents/codex/write-transcript.ts";
import { parseTranscript as parseTranscript_gemini } from "../agents/gemini/transcript.ts";
import { readTranscript as readTranscript_gemini } from "../agents/gemini/transcript.ts";
import { writeTranscript as writeTranscript_gemini } from "../agents/gemini/write-transcript.ts";
import { parseTranscript as parseTranscript_opencode } from "../agents/opencode/transcript.ts";
import { readTranscript as readTranscript_opencode } from "../agents/opencode/transcript.ts";
import { writeTranscript as writeTranscript_opencode } from "../agents/opencode/write-transcript.ts";
import type { TranscriptDialect } from "./transcript-dialect.ts";

export const transcriptDialects = {
  "claude": { parseTranscript: parseTranscript_claude, readTranscript: readTranscript_claude, writeTranscript: writeTranscript_claude },
  "codex": { parseTranscript: parseTranscript_codex, readTranscript: readTranscript_codex, writeTranscript: writeTranscript_codex },
  "gemini": { parseTranscript: parseTranscript_gemini, readTranscript: readTranscript_gemini, writeTranscript: writeTranscript_gemini },
  "opencode": { parseTranscript: parseTranscript_opencode, readTranscript: readTranscript_opencode, writeTranscript: writeTranscript_opencode },
} satisfies Record<string, TranscriptDialect>;
