// The organization's standards are in `standards` of svc.config.yaml.
import type { ConfigFile } from '../../contract/files/config-file.ts';
import type { LensFile } from '../../contract/files/lens-file.ts';

export type Standards = NonNullable<ConfigFile['standards']>;
export interface StandardFault {
  standard: keyof Standards;
  severity: 'error' | 'warning';
  path: (string | number)[];
  message: string;
}

/** Too few certified entries are only a warning, because a new lens has no entries. */
export function checkStandards(
  file: Pick<LensFile, 'name' | 'metrics' | 'datasets'>,
  approvedEntries: number,
  standards: Standards | undefined,
): StandardFault[] {
  if (!standards) return [];
  const faults: StandardFault[] = [];
  const requireDescription = (noun: 'metric' | 'dataset', name: string) => {
    const standard = `${noun}_description` as const;
    const message = `The ${noun} "${name}" has no description, but the standards of this project require one.`;
    const severity = standards[standard] === 'error' ? 'error' : 'warning';
    if (standards[standard] !== 'off') faults.push({ standard, severity, path: [`${noun}s`, name], message });
  };
  for (const [name, { description }] of Object.entries(file.metrics))
    if (!description) requireDescription('metric', name);
  for (const [name, dataset] of Object.entries(file.datasets))
    if (!('entity' in dataset) && !dataset.description) requireDescription('dataset', name);
  if (approvedEntries < standards.certified_minimum)
    faults.push({
      standard: 'certified_minimum',
      severity: 'warning',
      path: [],
      message: `The lens "${file.name}" has ${approvedEntries} approved certified entries, but the standards require ${standards.certified_minimum}.`,
    });
  return faults;
}
