// Each badge has a word, because not everyone can distinguish the colors.
import { IconAlertTriangle, IconCertificate, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import css from './badges.module.css';

const GRADE_BADGES = {
  verified: { label: 'Verified', icon: IconCircleCheck, look: css.good, meaning: 'All checks of this answer passed.' },
  partial: {
    label: 'Partly verified',
    icon: IconCircleDashed,
    look: css.fair,
    meaning: 'Some checks of this answer did not pass. See “Checks” below the answer.',
  },
  unverified: {
    label: 'Unverified',
    icon: IconAlertTriangle,
    look: css.poor,
    meaning: 'A critical check of this answer failed. See “Checks” below the answer.',
  },
} as const;

export function GradeBadge({ confidence }: { confidence: string }) {
  const {
    label,
    icon: Icon,
    look,
    meaning,
  } = GRADE_BADGES[confidence as keyof typeof GRADE_BADGES] ?? GRADE_BADGES.unverified;
  return (
    <span className={`${css.badge} ${look}`} title={meaning}>
      <Icon size={15} stroke={2} aria-hidden="true" />
      {label}
    </span>
  );
}

export const CertifiedBadge = () => (
  <span className={`${css.badge} ${css.certified}`} title="A person approved the SQL of this answer for this question.">
    <IconCertificate size={15} stroke={2} aria-hidden="true" />
    Certified
  </span>
);

const STATUS_BADGES: Record<string, string | undefined> = {
  answered: css.good,
  approved: css.good,
  accepted: css.good,
  resolved: css.good,
  passed: css.good,
  active: css.good,
  live: css.good,
  connected: css.good,
  clarification: css.fair,
  open: css.fair,
  in_review: css.fair,
  draft: css.fair,
  stale: css.fair,
  running: css.fair,
  refused: css.poor,
  uncovered: css.poor,
  suspended: css.poor,
  disabled: css.poor,
  no_data: css.poor,
  failed: css.bad,
  unreachable: css.bad,
  certified_failed: css.bad,
  rejected: css.bad,
};

export const StatusBadge = ({ status }: { status: string }) => (
  <span className={`${css.badge} ${STATUS_BADGES[status] ?? css.plain}`}>{formatLabel(status)}</span>
);

const VALUE_LABELS: Record<string, string> = {
  partial: 'Partly verified',
  uncovered: 'Not covered',
  live: 'Active',
  certified_failed: 'Approved SQL failed',
};

/** For example, the label of `in_review` is "In review". */
export const formatLabel = (word: string): string =>
  VALUE_LABELS[word] ?? word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
