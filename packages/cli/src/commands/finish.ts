/** Tells the program which exit code a command ended with. */
export type Finish = (code: number) => void;
