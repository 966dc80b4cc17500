// Badges for confidence and outcome. Each badge has a word, because not everyone can distinguish the colors.
import { IconAlertTriangle, IconCertificate, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import css from './badges.module.css';

const GRADES = {
  verified: { label: 'Verified', icon: IconCircleCheck, look: css.good },
  partial: { label: 'Partly verified', icon: IconCircleDashed, look: css.fair },
  unverified: { label: 'Unverified', icon: IconAlertTriangle, look: css.poor },
} as const;

export function GradeBadge({ confidence }: { confidence: string }) {
  const { label, icon: Icon, look } = GRADES[confidence as keyof typeof GRADES] ?? GRADES.unverified;
  return (
    <span className={`${css.badge} ${look}`}>
      <Icon size={15} stroke={2} aria-hidden="true" />
      {label}
    </span>
  );
}

export const CertifiedBadge = () => (
  <span className={`${css.badge} ${css.certified}`}>
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
  <span className={`${css.badge} ${STATUS_BADGES[status] ?? css.plain}`}>{labelOf(status)}</span>
);

const LABELS: Record<string, string> = {
  partial: 'Partly verified',
  uncovered: 'Not covered',
  live: 'Active',
  certified_failed: 'Approved SQL failed',
};

/** The label of a value of the API, such as "In review" for `in_review`. */
export const labelOf = (word: string): string =>
  LABELS[word] ?? word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
