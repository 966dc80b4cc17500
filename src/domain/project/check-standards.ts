// Checks lenses against the organization's standards (`standards` in svc.config.yaml) before deployment.
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
  const requireStandard = (
    standard: 'metric_description' | 'dataset_description',
    path: (string | number)[],
    message: string,
  ) => {
    const level = standards[standard];
    if (level !== 'off') faults.push({ standard, severity: level === 'error' ? 'error' : 'warning', path, message });
  };
  for (const [name, metric] of Object.entries(file.metrics))
    if (!metric.description)
      requireStandard(
        'metric_description',
        ['metrics', name],
        `The metric "${name}" has no description, but the standards of this project require one.`,
      );
  for (const [name, dataset] of Object.entries(file.datasets))
    if (!('entity' in dataset) && !dataset.description)
      requireStandard(
        'dataset_description',
        ['datasets', name],
        `The dataset "${name}" has no description, but the standards of this project require one.`,
      );
  if (approvedEntries < standards.certified_minimum)
    faults.push({
      standard: 'certified_minimum',
      severity: 'warning',
      path: [],
      message: `The lens "${file.name}" has ${approvedEntries} approved certified entries; the standards require ${standards.certified_minimum}.`,
    });
  return faults;
}
