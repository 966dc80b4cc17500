// What is deployed now and what the files ask for, in one vocabulary, so that plan and apply compare like with like.
import type { ConnectionConfig } from '../../contract/files/connection-words.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { FileBoard } from '../boards/file-boards.ts';
import type { GivenAttribute } from '../identity/caller-repository.ts';

export type Origin = 'file' | 'api';
export type ChangeKind =
  | 'connection'
  | 'lens'
  | 'certified'
  | 'eval'
  | 'entity'
  | 'definition'
  | 'grant'
  | 'setting'
  | 'board';
export interface Change {
  kind: ChangeKind;
  name: string;
  action: 'create' | 'update' | 'delete' | 'none';
  path: string;
  summary: string;
}

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
export interface SemanticObject {
  kind: 'entity' | 'definition';
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
  /** Of the lens.yaml of one made by API. */
  textSha256: string | null;
  contentSha256: string | null;
}
export interface StoredCorpusEntry extends CorpusEntry {
  origin: Origin;
  status: string;
}
/** A file that was edited by API since its author last sent it; base is the author's text, null where there was none. */
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
    /** Only where something was edited by API: the files in service, which hold it. */
    edited: { files: Record<string, string>; edits: FileEdits } | null;
  } | null;
  connections: StoredConnection[];
  lenses: StoredLens[];
  /** Those in service that no file names, and the connection of each. */
  apiLenses: { name: string; connection: string }[];
  certified: StoredCorpusEntry[];
  evals: StoredCorpusEntry[];
  semantic: (SemanticObject & { origin: Origin })[];
  grants: GrantRow[];
  boards: FileBoard[];
  settings: Record<string, unknown>;
  /** Those that callers have. */
  attributes: GivenAttribute[];
  /** Names of the settings that files set. */
  fileSettings: string[];
}

export interface WantedConnection {
  name: string;
  /** Secrets in clear; sealed as it is written. */
  config: ConnectionConfig;
  fromOperator: boolean;
  changed: boolean;
  /** One made by API, as it is stored: it comes from files from now on. */
  takesOver: boolean;
}
export interface WantedLens {
  name: string;
  path: string;
  /** The lens's own files as text. */
  files: Record<string, string>;
  sourceSha256: string;
  /** Null: unchanged since it was deployed, so neither compiled nor checked again. */
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
