/** What a start needs of the package before any session is read: it loads nothing else. */
export { descriptorLimit } from "./descriptor-limit.ts";
export { checkFormat } from "./format.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
