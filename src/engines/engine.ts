// What svc knows of an engine. svc's own engines and the warehouses of plugins are one interface.
import type { z } from 'zod';
import type { ConnectionConfig } from '../contract/files/connection-words.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Warehouse } from '../domain/ports.ts';

export interface FileRoots {
  /** SVC_PROJECT: relative paths start here. */
  projectFolder: string;
  /** SVC_HOME. */
  home: string;
}

/** A build takes no longer, and becomes no larger. */
export interface BuildLimits {
  timeoutMs: number;
  mostBytes: number;
}

export interface OpenContext extends FileRoots {
  /** Organization and connection name. */
  owner: string;
  buildLimits?: BuildLimits | undefined;
  /** Written by the operator, not come over HTTP. */
  fromOperator?: boolean;
  /** The address that was checked for the connection's host; absent: not checked, connect by name. */
  address?: string;
}

export interface Engine {
  /** The `kind` of its connections. */
  kind: string;
  /** The name of the SQL that it speaks. */
  dialect: string;
  /** Never tested against the product itself: `plan` and `/ready` say so. */
  experimental?: boolean;
  /** Statements at once on one connection, when not the usual number. */
  atOnce?: number;
  /** Its engine runs in this process or in one that svc starts, on our own processors. */
  onOurProcessors?: true;
  open(connection: ConnectionConfig, context: OpenContext): Promise<Warehouse>;
  /** Changes when what the connection opens was replaced from outside, so that it must be opened again. */
  revision?(connection: ConnectionConfig, context: OpenContext): Promise<string>;
  /** The connection of this owner was deleted: removes what was made for it. */
  forget?(owner: string, roots: FileRoots): Promise<void>;
}

/** One of svc's own, each in a folder beside this file. `engine.ts` of the folder is loaded always, the rest when a
 *  connection of the kind is used. */
export interface OwnEngine extends Engine {
  title: string;
  /** What follows the title in the list of engines. */
  also?: string;
  /** Its page in docs/engines, if it has one. */
  page?: string;
  experimental: boolean;
  testedWith: string;
  can: Record<Ability, boolean>;
  /** Schemes of connection URLs. */
  schemes: readonly string[];
  /** As svc.config.yaml has it, for each form that it takes. */
  stored: readonly z.ZodType<ConnectionConfig>[];
  /** As it is opened, for each form: variables expanded, defaults filled in. */
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
