import { whyProgramIsMissing } from "../../../contract/why-program-is-missing.ts";
import { program } from "../program.ts";

export const programProblem = await whyProgramIsMissing(program);
