import type { z } from 'zod';
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import type { projectChangeSchema } from '../../contract/mgmt/project.ts';
import type { ProblemFactory } from '../../lens/files/yaml-file.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { FileBoard } from '../boards/file-boards.ts';
import type { AssignedAttribute } from '../identity/caller-repository.ts';

export type Origin = 'file' | 'api';
export type ProjectChange = z.infer<typeof projectChangeSchema>;
export type ProjectChangeKind = ProjectChange['kind'];

export interface CorpusEntry {
  lens: string;
  id: string;
  path: string;
  body: Record<string, unknown>;
}
/** The key includes the lens, because ids are unique only within a lens. */
export const toCorpusKey = ({ lens, id }: Pick<CorpusEntry, 'lens' | 'id'>): string => `${lens}/${id}`;
/** `problemAt` reports a problem at a path of the entry. */
export type DesiredEntry = CorpusEntry & { problemAt: ProblemFactory };
export interface GrantRow {
  lens: string;
  subjectKind: 'caller' | 'group';
  subject: string;
  origin: 'lens_file' | 'group_file';
}
export const toGrantKey = ({ lens, subjectKind, subject, origin }: GrantRow): string =>
  JSON.stringify([lens, subjectKind, subject, origin]);
export const SEMANTIC_FILE_PATHS = { entity: 'semantic/entities.yaml', definition: 'semantic/definitions.yaml' };
export interface SemanticObject {
  kind: keyof typeof SEMANTIC_FILE_PATHS;
  name: string;
  body: Record<string, unknown>;
}

export interface StoredConnection {
  id: string;
  name: string;
  kind: string;
  config: Record<string, unknown>;
  origin: Origin;
  active: boolean;
  fromOperator: boolean;
}
export interface StoredLens {
  id: string;
  name: string;
  origin: Origin;
  activeVersion: number | null;
  lastVersion: number;
  sourceSha256: string | null;
  /** The hash of lens.yaml, for a lens created through the API. */
  textSha256: string | null;
  contentSha256: string | null;
  /** The connection of the served version. */
  connection: string | null;
}
export interface StoredCorpusEntry extends CorpusEntry {
  origin: Origin;
  status: string;
}
/** The API edits of a file since the author last applied it. `base` is null if the file didn't exist. */
export interface FileEdit {
  base: string | null;
  by: string;
  at: string;
  message: string | null;
}
export type FileEdits = Record<string, FileEdit>;

export interface DeployedState {
  deployment: {
    id: string;
    version: number;
    contentSha256: string;
    appliedAt: Date;
    /** The deployed files, including the API edits. Null if there are no API edits. */
    edited: { files: Record<string, string>; edits: FileEdits } | null;
  } | null;
  connections: StoredConnection[];
  lenses: StoredLens[];
  certified: StoredCorpusEntry[];
  evals: StoredCorpusEntry[];
  semantic: (SemanticObject & { origin: Origin })[];
  grants: GrantRow[];
  boards: FileBoard[];
  settings: Record<string, unknown>;
  attributes: AssignedAttribute[];
  fileSettings: string[];
}

export interface DesiredConnection {
  name: string;
  /** The configuration has decrypted secrets. svc encrypts them when it writes the connection. */
  config: ConnectionConfig;
  fromOperator: boolean;
  changed: boolean;
  /** An equal object created through the API becomes file-based. */
  becomesFileBased: boolean;
}
export interface DesiredLens {
  name: string;
  path: string;
  files: Record<string, string>;
  sourceSha256: string;
  /** Null if the lens hasn't changed since its deployment, so that svc doesn't compile or check it again. */
  compiled: { lens: Lens; contentSha256: string } | null;
}
export interface DesiredState {
  files: Record<string, string>;
  contentSha256: string;
  connections: DesiredConnection[];
  lenses: DesiredLens[];
  certified: DesiredEntry[];
  evals: DesiredEntry[];
  semantic: SemanticObject[];
  grants: GrantRow[];
  boards: FileBoard[];
  settings: Record<string, unknown>;
}
