// Compiles a lens to find the metrics that svc refuses, such as a metric with an unknown name.
import { FILES_KIND } from '../../contract/files/config-file.ts';
import type { DialectName } from '../../contract/warehouse.ts';
import { compileLens } from '../../lens/compile/compile-lens.ts';
import { readProject } from '../../lens/files/read-project.ts';

/** Returns the reason for each refused metric, by name. */
export async function findRefusedMetrics(
  {
    name,
    lens,
    files,
  }: {
    name: string;
    lens: Record<string, unknown>;
    files: Record<string, string>;
  },
  knownDialect: DialectName | null,
): Promise<Map<string, string>> {
  // The check uses only the structure of the lens, so a placeholder connection is enough.
  const dialect = knownDialect ?? FILES_KIND;
  const config = { connections: { [String(lens['connection'])]: { kind: 'plugin:any' } } };
  const { project } = readProject({ ...files, 'svc.config.yaml': JSON.stringify(config) });
  const source = project.lenses.find((lens) => lens.name === name);
  if (!source) return new Map();
  const { problems } = await compileLens(source, { definitions: [], entities: {}, dialect });
  return new Map(
    problems.flatMap(({ pointer, message }) => {
      const metric = /^\/metrics\/([^/]+)/.exec(pointer)?.[1];
      return metric ? [[metric, message] as const] : [];
    }),
  );
}
