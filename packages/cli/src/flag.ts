/** One flag of a command: the tables of commands and of server flags are written in these. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What its value is called in the help; a flag without is a switch. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  readonly description: string;
}
