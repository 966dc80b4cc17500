// Writes of many asks in few transactions: while a tenant has as many on their way as it may, what comes gathers and goes
// out together, so that one flush of the log serves all of them. Nobody is answered before that flush.
import type { Answer, Prepared } from './batch.ts';
import { Problem } from './problem.ts';
import type { Tenancy } from './tenant.ts';

const AT_ONCE = 2; // for each tenant: one gathers while the other is flushed
const TOGETHER = 32;

interface Waiting {
  statement: Prepared;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
}

interface Lane {
  underWay: number;
  waiting: Waiting[];
}

export class GroupCommit {
  readonly #tenancy: Pick<Tenancy, 'batch'>;
  readonly #lanes = new Map<string, Lane>();

  constructor(tenancy: Pick<Tenancy, 'batch'>) {
    this.#tenancy = tenancy;
  }

  run(orgId: string, statement: Prepared): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const lane = this.#lanes.get(orgId) ?? { underWay: 0, waiting: [] };
      this.#lanes.set(orgId, lane);
      lane.waiting.push({ statement, resolve, reject });
      if (lane.underWay < AT_ONCE) void this.#drain(orgId, lane);
    });
  }

  async #drain(orgId: string, lane: Lane): Promise<void> {
    lane.underWay++;
    while (lane.waiting.length > 0) await this.#commit(orgId, lane.waiting.splice(0, TOGETHER));
    lane.underWay--;
    if (lane.underWay === 0) this.#lanes.delete(orgId);
  }

  async #commit(orgId: string, together: Waiting[]): Promise<void> {
    try {
      const answers = await this.#tenancy.batch(
        orgId,
        together.map(({ statement }) => statement),
      );
      for (const [at, { resolve }] of together.entries()) resolve(answers[at]!);
    } catch (fault) {
      // One that cannot be written takes none with it: each is tried by itself.
      if (together.length === 1 || (fault instanceof Problem && fault.code === 'unreachable'))
        for (const { reject } of together) reject(fault);
      else for (const one of together) await this.#commit(orgId, [one]);
    }
  }
}
