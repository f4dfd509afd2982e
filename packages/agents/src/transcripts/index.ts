export type * from "./transcript-dialect.ts";
export { transcriptDialects } from "./transcripts.gen.ts";
