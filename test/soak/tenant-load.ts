// Mixed load for one tenant, whose revenue is multiplied by a factor. Any other number, or one of another lens version,
// is a wrong answer.
import type { Envelope } from '../../src/contract/ask.ts';
import { History, type Served } from '../support/history.ts';
import { type Load, postJson, startLoad } from '../support/load.ts';
import type { Tenant } from '../support/replicas.ts';

const LENS = '/v1/lenses/ledger';
const KINDS = [
  { path: `${LENS}/metrics`, body: { metrics: ['takings'] } },
  { path: `${LENS}/metrics`, body: { metrics: ['revenue', 'line_count'], dimensions: ['lines.region'] } },
  { path: `${LENS}/certified/light/run`, body: { format: 'structured' } },
  { path: `${LENS}/query`, body: { q: 'revenue by segment in 2024' } },
  { path: `${LENS}/query`, body: { q: 'What will the weather be?' } },
  { path: '/v1/sql', body: { lens: 'ledger', sql: 'select region, count(*) as n from public.lines group by region' } },
];

/** A metric without certified entries, which svc would suspend when the metric changes. */
export const linesFiles = (files: Record<string, string>, factor: number): Record<string, string> => ({
  ...files,
  'lenses/ledger/lens.yaml': `${files['lenses/ledger/lens.yaml']}  takings: {expression: sum(lines.amount * ${factor}), description: Amounts as this tenant counts them.}\n`,
});

export class TenantLoad {
  readonly history = new History();
  readonly tenant: Tenant;
  readonly #files: Record<string, string>;
  readonly #total: number;
  /** The factor of each lens version. */
  readonly #factors = new Map<number, number>();
  #load: Load | null = null;

  constructor(tenant: Tenant, files: Record<string, string>, total: number, factor: number) {
    this.tenant = tenant;
    this.#files = files;
    this.#total = total;
    this.#factors.set(1, factor);
  }

  start(url: string, loopCount: number): void {
    const { orgId, callerKey } = this.tenant;
    const next = (turn: number) => KINDS[turn % KINDS.length]!;
    this.#load = startLoad({
      url,
      orgId,
      tokens: [callerKey],
      lanes: loopCount,
      history: this.history,
      next,
      pauseMs: 20,
    });
  }

  get broken(): Record<string, number> {
    return this.#load?.broken ?? {};
  }

  get times(): number[] {
    return this.#load?.times ?? [];
  }

  stop(): Promise<void> {
    return this.#load?.stop() ?? Promise.resolve();
  }

  /** Applies a lens version with another factor. After a fault, the apply may or may not have taken effect. */
  async change(url: string): Promise<number> {
    const version = Math.max(...this.#factors.keys()) + 1;
    const factor = version * 10 + this.#factors.get(1)!;
    this.#factors.set(version, factor);
    const body = { files: linesFiles(this.#files, factor) };
    return (await postJson(`${url}/mgmt/project/apply`, body, this.tenant.adminToken)).status;
  }

  /** Describes the answers whose number isn't that of this tenant and the answer's lens version. */
  wrong(servedReplies: readonly Served[]): string[] {
    return servedReplies.flatMap(({ status, body, requestId }) => {
      const { data, lens_version, columns } = body as Envelope;
      if (status !== 200 || data?.length !== 1 || columns?.length !== 1 || columns[0]?.name !== 'takings') return [];
      const expectedTotal = this.#total * (this.#factors.get(lens_version ?? 0) ?? Number.NaN);
      const servedTotal = Number(data[0]?.['takings']);
      return Math.abs(servedTotal - expectedTotal) < 0.01
        ? []
        : [`${requestId}: takings ${servedTotal} of version ${lens_version}, not ${expectedTotal}`];
    });
  }
}
