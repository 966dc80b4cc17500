// svc's own engines and the warehouses of plugins share this interface.
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
  /** The checked IP address of the host. Without an address, svc connects by the host's name. */
  address?: string;
}

export interface Engine {
  kind: string;
  dialect: string;
  /** True if svc was never tested with the real product. `plan` and `/ready` report this. */
  experimental?: boolean;
  /** The number of simultaneous statements per connection, if it isn't the default. */
  atOnce?: number;
  /** True if the engine uses the processors of svc's machine, in svc's process or in a process that svc starts. */
  onOurProcessors?: true;
  open(connection: ConnectionConfig, context: OpenContext): Promise<Warehouse>;
  /** Changes when the connection's file or server changes. svc then opens the connection again. */
  revision?(connection: ConnectionConfig, context: OpenContext): Promise<string>;
  /** Removes everything that svc built for a deleted connection of this owner. */
  forget?(owner: string, roots: FileRoots): Promise<void>;
}

/** svc loads each `engine.ts` at startup, and the other modules of its folder for the first connection of that kind. */
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
  /** Schemas of the connection in svc.config.yaml, one for each possible set of keys. */
  stored: readonly z.ZodType<ConnectionConfig>[];
  /** Schemas of the connection with variables replaced and defaults added, one for each form. */
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
