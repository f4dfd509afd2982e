/** What a daemon refused or could not do, with the daemon it was, so that nobody looks for the fault in another one. */
export class DaemonFailure extends Error {
  override readonly name = "DaemonFailure";
  readonly place: string;
  override readonly cause: Error;

  constructor(place: string, cause: Error) {
    super(cause.message);
    this.place = place;
    this.cause = cause;
  }
}
