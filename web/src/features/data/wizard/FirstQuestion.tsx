import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Section } from '../../../ui/Page.tsx';
import type { Drafted } from './drafted.ts';
import css from './wizard.module.css';

export function FirstQuestion({ drafted: { lens, sample_questions } }: { drafted: Drafted }) {
  return (
    <Section title={`${lens} is in service`} about="Ask it something:">
      <div className={css.questions}>
        {sample_questions.map((q) => (
          <Button key={q} component={Link} to="/" search={{ q, lens } as never} variant="default" justify="flex-start">
            {q}
          </Button>
        ))}
      </div>
      <p className={css.after}>
        <Link to="/lenses/$name" params={{ name: lens }}>
          Its metrics, fields and map
        </Link>
      </p>
    </Section>
  );
}
