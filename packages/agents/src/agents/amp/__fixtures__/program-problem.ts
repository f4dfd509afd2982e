import { whyProgramIsMissing } from "../../../contract/why-program-is-missing.ts";
import { program } from "../program.ts";

export const programProblem = await whyProgramIsMissing(program);

/** For the title of what then cannot be tested. */
export const whySkipped = programProblem === undefined ? "" : ` (skipped: ${programProblem})`;
