import { Link } from '@tanstack/react-router';
import { Section } from '../../ui/Page.tsx';
import type { LensDetail } from '../ask/api/lenses.ts';
import css from './lenses.module.css';

export function Vocabulary({ lens }: { lens: LensDetail }) {
  return (
    <>
      <Section title="Metrics">
        <TermList
          items={lens.schema.metrics.map(({ name: metric, description, synonyms, unit }) => ({
            name: metric,
            text: description,
            synonyms,
            tag: unit,
          }))}
        />
      </Section>
      {lens.definitions.length > 0 && (
        <Section title="Terms">
          <TermList
            items={lens.definitions.map(({ term, meaning, synonyms, senses }) => ({
              name: term,
              text: meaning ?? senses.map(({ label, meaning: sense }) => `${label}: ${sense}`).join(' '),
              synonyms,
              tag: senses.length > 1 ? `${senses.length} meanings` : null,
            }))}
          />
        </Section>
      )}
      {lens.sample_questions.length > 0 && (
        <Section title="Sample questions">
          <ul className={css.plainList}>
            {lens.sample_questions.map((q) => (
              <li key={q}>
                <Link to="/" search={{ q, lens: lens.name }}>
                  {q}
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function TermList({
  items,
}: {
  items: { name: string; text: string | null; synonyms: string[]; tag: string | null }[];
}) {
  return (
    <dl className={css.terms}>
      {items.map(({ name, text, synonyms, tag }) => (
        <div key={name}>
          <dt>
            {name.replaceAll('_', ' ')}
            {tag && <span className={css.tag}>{tag}</span>}
          </dt>
          <dd>
            {text ?? 'No description yet.'}
            {synonyms.length > 0 && <span className={css.quiet}> Synonyms: {synonyms.join(', ')}.</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
