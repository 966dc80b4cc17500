// Converts the files of a project to wanted certified entries, evals, shared semantics, grants, boards and settings.
import type { ConfigFile } from '../../../contract/files/config-file.ts';
import type { Project } from '../../../lens/files/read-project.ts';
import { boardOfFile, type FileBoard } from '../../boards/file-boards.ts';
import type { CorpusEntry, GrantRow, SemanticObject } from '../project-state.ts';

export const wantedCertifiedEntries = (project: Project): CorpusEntry[] =>
  project.lenses.flatMap(({ name, certified }) =>
    certified.map(({ file, path }) => ({
      lens: name,
      id: file.id,
      path,
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

export const wantedEvals = (project: Project): CorpusEntry[] =>
  project.lenses.flatMap(({ name, evals }) =>
    evals.map(({ file, path }) => ({
      lens: name,
      id: file.id,
      path,
      body: {
        question: file.question,
        expect: file.expect,
        paraphrases: file.paraphrases,
        choices: file.choices ?? null,
      },
    })),
  );

export const wantedSemanticObjects = (project: Project): SemanticObject[] => [
  ...Object.entries(project.entities).map(([name, body]) => ({ kind: 'entity' as const, name, body })),
  ...project.definitions.map((body) => ({ kind: 'definition' as const, name: body.term, body })),
];

export function wantedGrants(project: Project): GrantRow[] {
  const grants = new Map<string, GrantRow>();
  const addGrant = (lens: string, subjectKind: 'caller' | 'group', subject: string, origin: GrantRow['origin']) =>
    grants.set(JSON.stringify([lens, subjectKind, subject, origin]), { lens, subjectKind, subject, origin });
  for (const { name, file } of project.lenses) {
    for (const caller of file.grants.callers) addGrant(name, 'caller', caller, 'lens_file');
    for (const group of file.grants.groups) addGrant(name, 'group', group, 'lens_file');
  }
  for (const [group, { lenses }] of Object.entries(project.config.groups))
    for (const lens of lenses) addGrant(lens, 'group', group, 'group_file');
  return [...grants.values()];
}

export const wantedBoards = ({ boards }: Project): FileBoard[] =>
  boards.map(({ path, file }) => boardOfFile(path, file));

const SETTINGS = ['instance', 'groups', 'standards', 'retention', 'telemetry', 'typed_decisions'] as const;
export const wantedSettings = (config: ConfigFile): Record<string, unknown> =>
  Object.fromEntries(SETTINGS.filter((name) => config[name] !== undefined).map((name) => [name, config[name]]));
