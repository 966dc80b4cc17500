import { IconCheck } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../../ui/Page.tsx';
import { ConnectStep } from './ConnectStep.tsx';
import { DraftStep } from './DraftStep.tsx';
import { FirstQuestion } from './FirstQuestion.tsx';
import type { IntrospectionResult } from './introspection-result.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { TablesStep } from './TablesStep.tsx';
import css from './wizard.module.css';

const WIZARD_STEPS = ['Connect', 'Choose tables', 'Read the data', 'Review', 'Confirm'] as const;

export function WizardPage() {
  const { connection: initialConnection } = useSearch({ from: '/app/data/new' });
  const [connection, setConnection] = useState<string | null>(initialConnection ?? null);
  const [run, setRun] = useState<string | null>(null);
  const [drafted, setDrafted] = useState<IntrospectionResult | null>(null);
  const [published, setPublished] = useState(false);
  const step = published ? 4 : drafted ? 3 : run ? 2 : connection ? 1 : 0;
  return (
    <Page
      title={initialConnection ? `Create a lens from ${initialConnection}` : 'Create a lens from a database'}
      description="svc reads your data and drafts a lens. svc never changes your data."
    >
      <ol className={css.steps}>
        {WIZARD_STEPS.map((label, index) => (
          <li key={label} aria-current={index === step ? 'step' : undefined} data-done={index < step || undefined}>
            <span aria-hidden="true">{index < step ? <IconCheck size={14} stroke={2.5} /> : index + 1}</span>
            {label}
          </li>
        ))}
      </ol>
      {step === 0 && <ConnectStep onConnected={setConnection} />}
      {step === 1 && <TablesStep connection={connection!} onBack={() => setConnection(null)} onStarted={setRun} />}
      {step === 2 && <DraftStep runId={run!} onBack={() => setRun(null)} onDrafted={setDrafted} />}
      {step === 3 && <ReviewStep drafted={drafted!} onPublished={() => setPublished(true)} />}
      {step === 4 && <FirstQuestion draftResult={drafted!} />}
    </Page>
  );
}
