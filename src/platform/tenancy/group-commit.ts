// While one transaction of a tenant runs, further writes of the tenant wait and then share the next transaction.
import { Problem } from '../problem.ts';

const MAX_BATCH_SIZE = 32;

interface WaitingItem<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
}

/** Returns one result per item, in order, when all items are durable. */
type BatchWriter<Item, Answer> = (orgId: string, items: readonly Item[]) => Promise<Answer[]>;

export class GroupCommit<Item, Answer> {
  readonly #write: BatchWriter<Item, Answer>;
  /** For each tenant with a running transaction, the writes that wait for the next one. */
  readonly #waitingByTenant = new Map<string, WaitingItem<Item, Answer>[]>();

  constructor(write: BatchWriter<Item, Answer>) {
    this.#write = write;
  }

  run(orgId: string, item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waitingItem = { item, resolve, reject };
      const gatheredItems = this.#waitingByTenant.get(orgId);
      if (gatheredItems) gatheredItems.push(waitingItem);
      else void this.#drain(orgId, [waitingItem]);
    });
  }

  async #drain(orgId: string, gatheredItems: WaitingItem<Item, Answer>[]): Promise<void> {
    this.#waitingByTenant.set(orgId, gatheredItems);
    while (gatheredItems.length > 0) await this.#commit(orgId, gatheredItems.splice(0, MAX_BATCH_SIZE));
    this.#waitingByTenant.delete(orgId);
  }

  async #commit(orgId: string, waitingItems: WaitingItem<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#write(
        orgId,
        waitingItems.map(({ item }) => item),
      );
      for (const [index, { resolve }] of waitingItems.entries()) resolve(answers[index]!);
    } catch (fault) {
      // Retries each item separately, so that one invalid item doesn't make the others fail.
      if (waitingItems.length === 1 || (fault instanceof Problem && fault.code === 'unreachable'))
        for (const { reject } of waitingItems) reject(fault);
      else for (const waitingItem of waitingItems) await this.#commit(orgId, [waitingItem]);
    }
  }
}
