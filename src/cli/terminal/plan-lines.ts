import type { z } from 'zod';
import type { deploymentPlanSchema } from '../../contract/mgmt/project.ts';
import { colorText } from './print.ts';

type DeploymentPlan = z.infer<typeof deploymentPlanSchema>;
export type PlanChange = DeploymentPlan['changes'][number];
export type ProjectFault = Pick<DeploymentPlan['problems'][number], 'path' | 'line' | 'column' | 'message'>;
export type AnswerChange = DeploymentPlan['answer_changes'][number];

const ACTION_MARKS = { create: ['green', '+'], update: ['yellow', '~'], delete: ['red', '-'] } as const;
const MAX_SHOWN_ROWS = 5;

export function formatChanges(
  changes: readonly PlanChange[],
  emptyText = 'No changes: the deployed project matches the files.',
): string[] {
  const changed = changes.filter(({ action }) => action !== 'none');
  if (changed.length === 0) return emptyText ? [emptyText] : [];
  const lines = changed.flatMap(({ action, kind, name, summary }) => {
    const [color, mark] = ACTION_MARKS[action as keyof typeof ACTION_MARKS];
    const [firstPart = '', ...otherParts] = summary.split('; ');
    return [
      `  ${colorText(color, mark)} ${kind} ${colorText('bold', name)}${firstPart ? `: ${firstPart}` : ''}`,
      ...otherParts.map((line) => `      ${line}`),
    ];
  });
  return [...lines, '', formatChangeTotals(changes)];
}

export const formatDeployedVersion = ({
  changes,
  version,
}: {
  changes: readonly PlanChange[];
  version: number;
}): string =>
  changes.every(({ action }) => action === 'none')
    ? `Version ${version} is still deployed.`
    : `Deployed version ${version}.`;

function formatChangeTotals(changes: readonly PlanChange[]): string {
  const count = (countedAction: PlanChange['action']) =>
    changes.filter(({ action }) => action === countedAction).length;
  return `Plan: ${count('create')} to create, ${count('update')} to change, ${count('delete')} to remove, ${count('none')} unchanged.`;
}

export function formatAffectedObjects(changes: readonly PlanChange[], answers: readonly AnswerChange[]): string[] {
  const realChanges = changes.filter(({ action }) => action !== 'none');
  const selectChanges = (kind: string) => realChanges.filter((item) => item.kind === kind);
  const lenses = new Set([
    ...selectChanges('lens').map(({ name }) => name),
    ...[...selectChanges('certified'), ...selectChanges('eval')].map(({ name }) => name.split('/')[0]!),
    ...selectChanges('grant').map(({ name }) => name.split(' to ')[0]!),
  ]);
  if (lenses.size === 0) return [];
  const parts = [
    `${formatCount(lenses.size, 'lens', 'lenses')} (${formatShortList([...lenses])})`,
    ...(selectChanges('certified').length > 0
      ? [formatCount(selectChanges('certified').length, 'certified entry', 'certified entries')]
      : []),
    ...(selectChanges('grant').length > 0 ? [formatCount(selectChanges('grant').length, 'grant', 'grants')] : []),
    answers.length > 0
      ? formatCount(answers.length, 'answer that changes', 'answers that change')
      : 'no known answer changes',
  ];
  return [`Affected: ${parts.join(', ')}.`];
}
export const formatCount = (count: number, singular: string, plural: string) =>
  `${count} ${count === 1 ? singular : plural}`;
const formatShortList = (names: string[]) =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;

/** For results with several rows, shows the removed and the added rows. */
export function formatAnswerChanges(changes: readonly AnswerChange[]): string[] {
  if (changes.length === 0) return [];
  const width = Math.max(...changes.map(({ kind, lens, id }) => `${kind} ${lens}/${id}`.length));
  return [
    '',
    colorText('bold', 'Answers that change'),
    ...changes.flatMap(({ kind, lens, id, before, after }) => {
      const entryLabel = `${kind} ${lens}/${id}`.padEnd(width);
      const [previous, current] = [formatRows(before), formatRows(after)];
      const valueText = (value: unknown, rows: string[] | null) =>
        rows === null
          ? formatValue(value)
          : `${(value as { row_count?: number | null }).row_count ?? rows.length} rows`;
      const headLine = `  ${colorText('yellow', '≠')} ${entryLabel}  ${colorText('red', valueText(before, previous))} → ${colorText('green', valueText(after, current))}`;
      const [removedRows, addedRows] = [previous ?? [], current ?? []].map((rows, index) =>
        rows.filter((row) => !((index === 0 ? current : previous) ?? []).includes(row)).slice(0, MAX_SHOWN_ROWS),
      ) as [string[], string[]];
      return [
        headLine,
        ...removedRows.map((row) => `      ${colorText('red', '-')} ${row}`),
        ...addedRows.map((row) => `      ${colorText('green', '+')} ${row}`),
      ];
    }),
  ];
}

function formatRows(value: unknown): string[] | null {
  const rows = (value as { rows?: Record<string, unknown>[] } | null)?.rows;
  return Array.isArray(rows)
    ? rows.map((row) =>
        Object.entries(row)
          .map(([name, cell]) => `${name}: ${formatValue(cell)}`)
          .join(', '),
      )
    : null;
}
function formatValue(value: unknown): string {
  const { status, code, clarification } = (value ?? {}) as Record<string, unknown>;
  if (typeof status === 'string') return [status, code ?? clarification].filter(Boolean).join(': ');
  return value === null || value === undefined
    ? 'nothing'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

export const formatFaults = (faults: readonly ProjectFault[]): string[] =>
  faults.map((fault) => `${colorText('red', 'Error')}: ${formatLocatedMessage(fault)}`);
export const formatWarnings = (warnings: readonly string[]): string[] =>
  warnings.map((warning) => `${colorText('yellow', 'Warning')}: ${warning}`);

const formatLocatedMessage = ({ path, line, column, message }: ProjectFault): string =>
  `${path}${line ? `:${line}${column ? `:${column}` : ''}` : ''}: ${message}`;
