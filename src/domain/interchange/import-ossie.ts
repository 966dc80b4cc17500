// A comment in lens.yaml keeps the original model for the export. svc's own extension becomes part of the lens again.
import { parse } from 'yaml';
import { parseYamlFile } from '../../lens/files/yaml-file.ts';
import { describeFaults, formatFault } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';
import { writeLensYaml } from '../semantic/draft/write-lens-yaml.ts';
import { generateModel } from './export-ossie.ts';
import type { KnownTables } from './known-tables.ts';
import { type OssieFile, type OssieModel, ossieFileSchema } from './ossie-shapes.ts';
import { convertOssieToLens } from './ossie-to-lens.ts';
import { type PreservedModel, writePreservedModel } from './preserved-model.ts';
import { findRefusedMetrics } from './refused-metrics.ts';
import { listCorpusFiles, readSvcExtension } from './restore-extension.ts';
import { NO_SHARED_PARTS, withSharedParts } from './shared-semantic.ts';

export interface ImportedLens {
  name: string;
  lens: Record<string, unknown>;
  files: Record<string, string>;
  /** The names of parts without an equivalent in a lens, which the export restores. */
  preservedParts: string[];
  /** Guesses that a person should review. */
  guessedParts: string[];
}

export async function importOssie(text: string, connection: string, catalog: KnownTables): Promise<ImportedLens[]> {
  let parsedYaml: unknown;
  try {
    parsedYaml = parse(text);
  } catch (error) {
    throw new Problem('invalid', `The file is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  const parsedFile = ossieFileSchema.safeParse(parsedYaml);
  if (!parsedFile.success) {
    const details = describeFaults(parsedFile.error, ossieFileSchema, parsedYaml);
    const faults = details.slice(0, 5).map(formatFault).join(' ');
    throw new Problem('invalid', `This is not an Ossie model. ${faults}`, { details });
  }
  // Uses the parsed YAML, because the schema's output would lose the original order of the members.
  const { semantic_model: models, ...topLevelMembers } = parsedYaml as OssieFile;
  return Promise.all(models.map((model) => importModel(model, topLevelMembers, connection, catalog)));
}

async function importModel(
  model: OssieModel,
  topLevelMembers: NonNullable<PreservedModel['ossie']>['top'],
  connection: string,
  catalog: KnownTables,
): Promise<ImportedLens> {
  const extension = readSvcExtension(model);
  const convertWithoutMetrics = (droppedMetrics: string[]) => {
    const { name, lens, preservedParts, guessedParts } = convertOssieToLens(model, connection, catalog, droppedMetrics);
    const text = writeLensYaml(lens);
    const lensFile = parseYamlFile('lens', 'lens.yaml', text).value;
    const base = lensFile ? { base: generateModel(withSharedParts(lensFile, NO_SHARED_PARTS)) } : {};
    const preserved = { ossie: { top: topLevelMembers, model, ...base } };
    const lensFiles = {
      'lens.yaml': text + writePreservedModel(preserved),
      ...(extension && listCorpusFiles(extension)),
    };
    const files = Object.fromEntries(
      Object.entries(lensFiles).map(([path, content]) => [`lenses/${name}/${path}`, content]),
    );
    return { name, lens, files, preservedParts, guessedParts };
  };
  const importedLens = convertWithoutMetrics([]);
  const refusedReasons = await findRefusedMetrics(importedLens, catalog.dialect);
  if (refusedReasons.size === 0) return importedLens;
  const fittingLens = convertWithoutMetrics([...refusedReasons.keys()]);
  return {
    ...fittingLens,
    preservedParts: [
      ...fittingLens.preservedParts,
      ...[...refusedReasons].map(([metric, reason]) => `metric ${metric}: ${reason}`),
    ],
  };
}
