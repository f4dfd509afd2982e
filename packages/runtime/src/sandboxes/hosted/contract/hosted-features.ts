/** What the suite looks at, one test each; the lines of the table in the documentation. */
export const hostedFeatures = {
  session: { group: "Sessions", title: "runs a whole session: messages, files, diff, permission" },
  idle: { group: "Sessions", title: "is suspended or ended when idle, and the next message goes on" },
  looking: { group: "Sessions", title: "is not woken by who only looks" },
  daemonKilled: { group: "Sessions", title: "has a killed daemon started again" },
  lost: { group: "Sessions", title: "is made anew with files and conversation when it was lost" },
  sleeping: { group: "Sessions", title: "is not woken when the service suspended it, before its next message" },
  deadline: { group: "Sessions", title: "ends a turn with a reason when the service ended it at its deadline" },
  keptAlive: { group: "Sessions", title: "is kept alive while a turn runs, and not afterwards" },
  restart: { group: "Sessions", title: "is found again by the next runtime, with the turn in it" },
  rateLimit: { group: "Faults", title: "waits as long as a service says that lets nobody in" },
  serviceError: { group: "Faults", title: "makes up for errors of the service" },
  hangingCreate: { group: "Faults", title: "leaves nothing of a create that hangs" },
  lostAnswer: { group: "Faults", title: "leaves nothing of a create whose answer was lost" },
  expiredKey: { group: "Faults", title: "says what to do about an expired key, and goes on with a new one" },
  outage: { group: "Faults", title: "loses no sandbox while the service does not answer" },
  loginPage: { group: "Faults", title: "does not take a login page for a daemon" },
  moved: { group: "Faults", title: "follows its daemon to another place" },
  secrets: { group: "Secrets", title: "tells the service no keys and tokens" },
  crashes: { group: "Accounts", title: "has nothing left at the service after kills and losses, nothing billed twice" },
} as const satisfies Readonly<Record<string, { readonly group: string; readonly title: string }>>;

export type HostedFeature = keyof typeof hostedFeatures;
