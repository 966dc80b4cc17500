import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../ui/format.ts';
import { ErrorState } from '../../../ui/States.tsx';
import type { LensDetail } from '../../ask/api/lenses.ts';
import { CorrectFactForm } from './CorrectFactForm.tsx';
import css from './facts.module.css';
import { type Fact, useDecideFacts } from './facts-api.ts';

const FACT_KIND_LABELS: Record<Fact['kind'], string> = {
  key: 'Key',
  join: 'Join',
  aggregation: 'Aggregation',
  time_field: 'Date',
  unit: 'Unit',
  codes: 'Codes',
  reading: 'Parsing',
};
const FACT_SENTENCE_WRITERS: Record<Fact['kind'], (fact: Fact) => string> = {
  key: ({ of, says }) => `Each row of ${of} has a unique ${says}`,
  join: ({ of, says }) => `${of} refers to ${says}`,
  aggregation: ({ of, says }) => AGGREGATION_SENTENCE_WRITERS[says]?.(of) ?? `${of}: ${says}`,
  time_field: ({ of, says }) => `The date of ${of} is ${says}`,
  unit: ({ of, says }) => `${of} is in ${says}`,
  codes: ({ of, says }) => `${of}: ${says}`,
  reading: ({ of, says }) => `${of} is converted with ${says}`,
};
const AGGREGATION_SENTENCE_WRITERS: Record<string, (subject: string) => string> = {
  sum: (subject) => `${subject} can be summed`,
  average: (subject) => `${subject} is averaged, never summed`,
  latest: (subject) => `${subject} is a level, so svc uses its latest value`,
  none: (subject) => `${subject} is not an amount`,
};

export function FactCard({ lens, fact }: { lens: LensDetail; fact: Fact }) {
  const [correcting, setCorrecting] = useState(false);
  const ruling = useDecideFacts(lens.name);
  const isInferred = fact.origin === 'inferred';
  return (
    <li className={css.fact} data-origin={fact.origin}>
      <div className={css.body}>
        <p className={css.head}>
          <span className={css.kind}>{FACT_KIND_LABELS[fact.kind]}</span>
          <span className={css.origin}>{fact.origin}</span>
          {fact.depends > 0 && (
            <span className={css.quiet}>
              {formatCount(fact.depends)} {fact.depends === 1 ? 'question depends' : 'questions depend'} on this fact
            </span>
          )}
        </p>
        <h3>{FACT_SENTENCE_WRITERS[fact.kind](fact)}</h3>
        {fact.evidence && <p className={css.quiet}>{fact.evidence}</p>}
        {fact.sample_rows && fact.sample_rows.length > 0 && <FactSamples rows={fact.sample_rows} />}
        {correcting && <CorrectFactForm lens={lens} fact={fact} onDone={() => setCorrecting(false)} />}
        {ruling.error && <ErrorState fault={ruling.error} />}
      </div>
      <div className={css.actions}>
        {isInferred && (
          <Button
            size="xs"
            loading={ruling.isPending}
            aria-label={`Confirm: ${FACT_SENTENCE_WRITERS[fact.kind](fact)}`}
            onClick={() => ruling.mutate({ confirm: [fact.id] })}
          >
            Confirm
          </Button>
        )}
        {fact.origin !== 'declared' && (
          <Button
            size="xs"
            variant="default"
            aria-expanded={correcting}
            aria-label={`Correct: ${FACT_SENTENCE_WRITERS[fact.kind](fact)}`}
            onClick={() => setCorrecting(!correcting)}
          >
            Correct
          </Button>
        )}
      </div>
    </li>
  );
}

function FactSamples({ rows }: { rows: NonNullable<Fact['sample_rows']> }) {
  const names = Object.keys(rows[0] ?? {});
  return (
    <div className={css.samples}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sample rows have no identity and never move
            <tr key={index}>
              {names.map((name) => (
                <td key={name}>{row[name] === null ? <span className={css.quiet}>null</span> : String(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
