// Combines writes (group commit). While one transaction of a tenant runs, further writes of that tenant wait and then
// share the next transaction. Callers get their answer after the commit.
import { Problem } from '../problem.ts';

const MAX_BATCH = 32;

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
}

/** Runs one transaction. Returns one result per item, in order, when all items are durable. */
type Write<Item, Answer> = (orgId: string, together: readonly Item[]) => Promise<Answer[]>;

export class GroupCommit<Item, Answer> {
  readonly #write: Write<Item, Answer>;
  /** For each tenant with a running transaction, the writes that wait for the next one. */
  readonly #gathering = new Map<string, Waiting<Item, Answer>[]>();

  constructor(write: Write<Item, Answer>) {
    this.#write = write;
  }

  run(orgId: string, item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const gathered = this.#gathering.get(orgId);
      if (gathered) gathered.push(waiting);
      else void this.#drain(orgId, [waiting]);
    });
  }

  async #drain(orgId: string, gathered: Waiting<Item, Answer>[]): Promise<void> {
    this.#gathering.set(orgId, gathered);
    while (gathered.length > 0) await this.#commit(orgId, gathered.splice(0, MAX_BATCH));
    this.#gathering.delete(orgId);
  }

  async #commit(orgId: string, together: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#write(
        orgId,
        together.map(({ item }) => item),
      );
      for (const [index, { resolve }] of together.entries()) resolve(answers[index]!);
    } catch (fault) {
      // Retry each item separately, so that one invalid item doesn't fail the others.
      if (together.length === 1 || (fault instanceof Problem && fault.code === 'unreachable'))
        for (const { reject } of together) reject(fault);
      else for (const one of together) await this.#commit(orgId, [one]);
    }
  }
}
