import type { ConfigFile } from '../../../contract/files/config-file.ts';
import type { Project } from '../../../lens/files/read-project.ts';
import { type FileBoard, toFileBoard } from '../../boards/file-boards.ts';
import { type DesiredEntry, type GrantRow, type SemanticObject, toGrantKey } from '../project-state.ts';

export const toDesiredCertifiedEntries = (project: Project): DesiredEntry[] =>
  project.lenses.flatMap(({ name, certified }) =>
    certified.map(({ file, path, problemAt }) => ({
      lens: name,
      id: file.id,
      path,
      problemAt,
      body: {
        question: file.question,
        also_asked: file.also_asked,
        sql: file.sql,
        parameters: file.parameters,
        approved_by: file.approved_by ?? null,
        approved_at: file.approved_at ?? null,
        notes: file.notes ?? null,
        status: file.status,
      },
    })),
  );

export const toDesiredEvals = (project: Project): DesiredEntry[] =>
  project.lenses.flatMap(({ name, evals }) =>
    evals.map(({ file, path, problemAt }) => ({
      lens: name,
      id: file.id,
      path,
      problemAt,
      body: {
        question: file.question,
        expect: file.expect,
        paraphrases: file.paraphrases,
        choices: file.choices ?? null,
      },
    })),
  );

export const toDesiredSemanticObjects = (project: Project): SemanticObject[] => [
  ...Object.entries(project.entities).map(([name, body]) => ({ kind: 'entity' as const, name, body })),
  ...project.definitions.map((body) => ({ kind: 'definition' as const, name: body.term, body })),
];

export function toDesiredGrants(project: Project): GrantRow[] {
  const grants = [
    ...project.lenses
      .flatMap(({ name: lens, file }) => [
        ...file.grants.callers.map((subject) => ({ lens, subjectKind: 'caller' as const, subject })),
        ...file.grants.groups.map((subject) => ({ lens, subjectKind: 'group' as const, subject })),
      ])
      .map((grant) => ({ ...grant, origin: 'lens_file' as const })),
    ...Object.entries(project.config.groups).flatMap(([subject, { lenses }]) =>
      lenses.map((lens) => ({ lens, subjectKind: 'group' as const, subject, origin: 'group_file' as const })),
    ),
  ];
  return [...new Map(grants.map((grant) => [toGrantKey(grant), grant])).values()];
}

export const toDesiredBoards = ({ boards }: Project): FileBoard[] =>
  boards.map(({ path, file }) => toFileBoard(path, file));

const SETTING_NAMES = ['instance', 'groups', 'standards', 'retention', 'telemetry', 'typed_decisions'] as const;
export const toDesiredSettings = (config: ConfigFile): Record<string, unknown> =>
  Object.fromEntries(SETTING_NAMES.filter((name) => config[name] !== undefined).map((name) => [name, config[name]]));
