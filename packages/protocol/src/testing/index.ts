export { streamFromChoices } from "./stream-from-choices.ts";
