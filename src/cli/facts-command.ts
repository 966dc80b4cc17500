import type { z } from 'zod';
import type { confirmationResultSchema, Fact } from '../contract/mgmt/lenses.ts';
import { connectToServer, fetchAllPages } from './client.ts';
import { callOperation } from './terminal/follow-run.ts';
import { printResult } from './terminal/print.ts';

type FactConfirmation = z.infer<typeof confirmationResultSchema>;
interface FactsOptions {
  confirm?: string[];
  confirmProvenJoins?: boolean;
  json?: boolean;
}

export async function runFactsCommand(
  lens: string,
  { confirm, confirmProvenJoins, json }: FactsOptions,
): Promise<void> {
  const client = await connectToServer('admin');
  const path = `/mgmt/lenses/${encodeURIComponent(lens)}/facts`;
  if (!confirm && !confirmProvenJoins) {
    const facts = await fetchAllPages<Fact>(client, path);
    return printResult({ json }, facts, formatFacts(lens, facts));
  }
  const send = (body: object) => callOperation<FactConfirmation>(client, 'Confirming', path, body);
  const replies = [
    ...(confirmProvenJoins ? [await send({ confirm: 'proven_joins' })] : []),
    ...(confirm ? [await send({ confirm })] : []),
  ];
  const confirmation: FactConfirmation = {
    ...replies.at(-1)!,
    confirmed: replies.flatMap((reply) => reply.confirmed),
    left: replies.flatMap((reply) => reply.left),
    warnings: replies.flatMap((reply) => reply.warnings),
  };
  printResult({ json }, confirmation, formatConfirmation(confirmation));
}

function formatFacts(lens: string, facts: Fact[]): string[] {
  const openFacts = facts.filter(({ origin }) => origin === 'inferred');
  const count = (origin: Fact['origin']): number => facts.filter((fact) => fact.origin === origin).length;
  const confirmedText = `${count('confirmed')} confirmed, ${count('declared')} declared by the database.`;
  if (openFacts.length === 0) return [`${lens}: no inferred facts; ${confirmedText}`];
  return [
    ...openFacts.flatMap(({ id, says, evidence, depends, withdrawn, sample_rows: rows = [] }) => [
      `${id}  ${says}${withdrawn ? '  (contradicted by the data)' : ''}`,
      `    ${evidence}; ${depends === 1 ? '1 answer depends' : `${depends} answers depend`} on it`,
      ...rows.map((row) => `    ${JSON.stringify(row)}`),
    ]),
    '',
    `${lens}: ${openFacts.length} inferred; ${confirmedText}`,
    `To confirm a fact, run: npx svc lens facts ${lens} --confirm ${openFacts[0]!.id}`,
    `To confirm every join whose values all match, run: npx svc lens facts ${lens} --confirm-proven-joins`,
  ];
}

const formatConfirmation = ({ lens, version, confirmed, left, warnings }: FactConfirmation): string[] => [
  ...confirmed.map((id) => `confirmed  ${id}`),
  ...left.map(({ id, why }) => `left       ${id}: ${why}`),
  ...warnings.map((warning) => `warning    ${warning}`),
  confirmed.length > 0 ? `Published version ${version} of ${lens}.` : 'Nothing changed.',
];
