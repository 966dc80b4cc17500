// How commands end: 0 good, 1 the thing failed, 2 wrong usage (CONTRACT 1). The message goes to stderr.
export class Failure extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
