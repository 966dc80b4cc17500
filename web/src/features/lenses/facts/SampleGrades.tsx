// Shows the current grades of the sample questions, which change when you confirm a fact.
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { GradeBadge, StatusBadge } from '../../../ui/Badges.tsx';
import { Section } from '../../../ui/Page.tsx';
import type { LensDetail } from '../../ask/api/lenses.ts';
import css from './facts.module.css';

const MAX_SAMPLE_QUESTIONS = 12;

export function SampleGrades({ lens }: { lens: LensDetail }) {
  const questions = lens.sample_questions.slice(0, MAX_SAMPLE_QUESTIONS);
  const gradeQueries = useQueries({
    queries: questions.map((q) => ({
      queryKey: ['sample-grades', lens.name, q],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrapData(
          apiClient.POST('/v1/lenses/{name}/query', {
            params: { path: { name: lens.name } },
            body: { q, format: 'structured' as const },
            signal,
          }),
        ),
      retry: false,
    })),
  });
  if (questions.length === 0) return null;
  const verifiedCount = gradeQueries.filter(({ data }) => isVerified(data)).length;
  return (
    <Section
      title="Sample questions"
      description={`Verified with the current facts: ${verifiedCount} of ${questions.length}.`}
    >
      <ul className={css.questions}>
        {questions.map((q, index) => (
          <li key={q}>
            <Link to="/" search={{ q, lens: lens.name }}>
              {q}
            </Link>
            {gradeQueries[index]?.data ? (
              <SampleOutcome answer={gradeQueries[index].data as AnswerGrade} />
            ) : (
              <span className={css.quiet}>{gradeQueries[index]?.error ? 'Failed' : 'Checking…'}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface AnswerGrade {
  status: string;
  confidence: string;
}
const isVerified = (data: unknown): boolean => {
  const { status, confidence } = (data ?? {}) as Partial<AnswerGrade>;
  return status === 'answered' && confidence === 'verified';
};
const SampleOutcome = ({ answer }: { answer: AnswerGrade }) =>
  answer.status === 'answered' ? <GradeBadge confidence={answer.confidence} /> : <StatusBadge status={answer.status} />;
