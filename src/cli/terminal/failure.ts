// Exit codes: 0 success, 1 failure, 2 wrong usage. The message goes to stderr.
export class Failure extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
