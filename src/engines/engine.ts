// An engine as svc sees it. svc's own engines and the warehouses of plugins share this interface.
import type { z } from 'zod';
import type { ConnectionConfig } from '../contract/files/connection-words.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Warehouse } from '../domain/ports.ts';

export interface FileRoots {
  /** SVC_PROJECT, the base of relative paths. */
  projectFolder: string;
  /** SVC_HOME. */
  home: string;
}

/** Limits on the time and size of a build. */
export interface BuildLimits {
  timeoutMs: number;
  mostBytes: number;
}

export interface OpenContext extends FileRoots {
  /** Organization and connection name. */
  owner: string;
  buildLimits?: BuildLimits | undefined;
  /** True for connections that the operator wrote, false for those received over HTTP. */
  fromOperator?: boolean;
  /** The checked address of the connection's host. Absent: not checked, connect by name. */
  address?: string;
}

export interface Engine {
  /** The `kind` of its connections. */
  kind: string;
  /** Name of its SQL dialect. */
  dialect: string;
  /** True if it was never tested against the product itself; `plan` and `/ready` report it. */
  experimental?: boolean;
  /** Statements at once per connection, if not the default. */
  atOnce?: number;
  /** True if the engine uses this machine's processors, in this process or one that svc starts. */
  onOurProcessors?: true;
  open(connection: ConnectionConfig, context: OpenContext): Promise<Warehouse>;
  /** Changes when the file or server behind the connection was replaced, so that svc must open it again. */
  revision?(connection: ConnectionConfig, context: OpenContext): Promise<string>;
  /** Removes everything built for a deleted connection of this owner. */
  forget?(owner: string, roots: FileRoots): Promise<void>;
}

/**
 * One of svc's own engines, each in a folder next to this file. svc always loads the folder's `engine.ts`,
 * and the rest when a connection of that kind is used.
 */
export interface OwnEngine extends Engine {
  title: string;
  /** Text after the title in the list of engines. */
  also?: string;
  /** Its page in docs/engines, if any. */
  page?: string;
  experimental: boolean;
  testedWith: string;
  can: Record<Ability, boolean>;
  /** Schemes of connection URLs. */
  schemes: readonly string[];
  /** Schemas of the connection in svc.config.yaml, one per form. */
  stored: readonly z.ZodType<ConnectionConfig>[];
  /** Schemas of the connection with variables expanded and defaults filled in, one per form. */
  opened: readonly z.ZodType<ConnectionConfig>[];
  loadDialect(): Promise<Dialect>;
}

export const ABILITIES = {
  rowPolicies: 'row policies',
  medians: 'medians',
  lists: 'lists',
  distinctLists: 'distinct lists',
  estimates: 'estimates',
} as const;
export type Ability = keyof typeof ABILITIES;
