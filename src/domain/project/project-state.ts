// Shared types for the deployed and the wanted state, so that plan and apply can compare them.
import type { z } from 'zod';
import type { ConnectionConfig } from '../../contract/files/connection-words.ts';
import type { change } from '../../contract/mgmt/project.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { FileBoard } from '../boards/file-boards.ts';
import type { GivenAttribute } from '../identity/caller-repository.ts';

export type Origin = 'file' | 'api';
export type Change = z.infer<typeof change>;
export type ChangeKind = Change['kind'];

export interface CorpusEntry {
  lens: string;
  id: string;
  path: string;
  body: Record<string, unknown>;
}
export interface GrantRow {
  lens: string;
  subjectKind: 'caller' | 'group';
  subject: string;
  origin: 'lens_file' | 'group_file';
}
export const SEMANTIC_FILES = { entity: 'semantic/entities.yaml', definition: 'semantic/definitions.yaml' };
export interface SemanticObject {
  kind: keyof typeof SEMANTIC_FILES;
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
  /** Hash of lens.yaml, for a lens created by API. */
  textSha256: string | null;
  contentSha256: string | null;
}
export interface StoredCorpusEntry extends CorpusEntry {
  origin: Origin;
  status: string;
}
/**
 * A file with an API edit since its author last applied it. `base` is the author's text, null if there was no
 * file.
 */
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
    /** Only if there are API edits: the deployed files with the edits. */
    edited: { files: Record<string, string>; edits: FileEdits } | null;
  } | null;
  connections: StoredConnection[];
  lenses: StoredLens[];
  /** Lenses in service outside files, with their connections. */
  apiLenses: { name: string; connection: string }[];
  certified: StoredCorpusEntry[];
  evals: StoredCorpusEntry[];
  semantic: (SemanticObject & { origin: Origin })[];
  grants: GrantRow[];
  boards: FileBoard[];
  settings: Record<string, unknown>;
  /** Attributes of callers. */
  attributes: GivenAttribute[];
  /** Names of the settings from files. */
  fileSettings: string[];
}

export interface WantedConnection {
  name: string;
  /** With decrypted secrets; encrypted when written. */
  config: ConnectionConfig;
  fromOperator: boolean;
  changed: boolean;
  /** An equal object created by API becomes file-based. */
  takesOver: boolean;
}
export interface WantedLens {
  name: string;
  path: string;
  /** The lens's own files as text. */
  files: Record<string, string>;
  sourceSha256: string;
  /** Null: unchanged since it was deployed, so svc doesn't compile or check it again. */
  compiled: { lens: Lens; contentSha256: string } | null;
}
export interface WantedState {
  files: Record<string, string>;
  contentSha256: string;
  connections: WantedConnection[];
  lenses: WantedLens[];
  certified: CorpusEntry[];
  evals: CorpusEntry[];
  semantic: SemanticObject[];
  grants: GrantRow[];
  boards: FileBoard[];
  settings: Record<string, unknown>;
}
