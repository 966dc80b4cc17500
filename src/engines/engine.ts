// The interface of engines, both svc's own and those of plugins.
import type { z } from 'zod';
import type { ConnectionConfig } from '../contract/files/connection-settings.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Warehouse } from '../domain/ports.ts';

export interface FileRoots {
  /** The SVC_PROJECT folder, where relative paths start. */
  projectFolder: string;
  /** The SVC_HOME folder. */
  home: string;
}

export interface BuildLimits {
  timeoutMs: number;
  maxBytes: number;
}

export interface OpenContext extends FileRoots {
  /** The organization and the name of the connection. */
  owner: string;
  buildLimits?: BuildLimits | undefined;
  /** True if the operator's files contain the connection. False if the connection arrived over HTTP. */
  fromOperator?: boolean;
  /** The IP address of the host that svc has checked. If missing, svc connects by the host's name. */
  address?: string;
}

export interface Engine {
  kind: string;
  dialect: string;
  /** True if svc was never tested with the real product. `plan` and `/ready` report such engines. */
  experimental?: boolean;
  /** The number of simultaneous statements per connection, if it differs from the default. */
  atOnce?: number;
  /** True if statements use the processors of svc's machine, in svc's process or in a process that svc starts. */
  onOurProcessors?: true;
  open(connection: ConnectionConfig, context: OpenContext): Promise<Warehouse>;
  /** Returns a text that changes when the connection's file or server changes. svc then opens the connection again. */
  revision?(connection: ConnectionConfig, context: OpenContext): Promise<string>;
  /** Removes everything that svc built for a deleted connection of this owner. */
  forget?(owner: string, roots: FileRoots): Promise<void>;
}

/**
 * An engine that is part of svc. svc loads each `engine.ts` at startup, and the other modules of its folder for the
 * first connection of that kind.
 */
export interface BuiltInEngine extends Engine {
  title: string;
  /** The text after the title in the list of engines. */
  titleSuffix?: string;
  /** The engine's page in docs/engines. */
  page?: string;
  experimental: boolean;
  testedWith: string;
  can: Record<Ability, boolean>;
  schemes: readonly string[];
  /** Schemas of the connection as stored in svc.config.yaml, one for each possible set of keys. */
  stored: readonly z.ZodType<ConnectionConfig>[];
  /**
   * Schemas of the connection after svc has replaced variables and added defaults, one for each possible set of keys.
   */
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
