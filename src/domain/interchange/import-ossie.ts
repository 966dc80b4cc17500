// Imports an Apache Ossie model as lens.yaml. A comment keeps parts without an equivalent for the export, and lists
// them by name. svc's own extension becomes part of the lens again.
import { parse } from 'yaml';
import { describeFaults, faultText } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';
import { writeLens } from '../semantic/draft/write-lens.ts';
import type { Known } from './known-tables.ts';
import { type OssieFile, type OssieModel, ossieFile } from './ossie-shapes.ts';
import { ossieToLens } from './ossie-to-lens.ts';
import { PRESERVED_MODEL_PREFIX } from './preserved-model.ts';
import { refusedMetrics } from './refused-metrics.ts';
import { corpusFiles, ownExtension } from './restore-extension.ts';

export interface ImportedLens {
  name: string;
  lens: Record<string, unknown>;
  files: Record<string, string>;
  /** Contents for semantic/*.yaml, which lenses share. */
  shared?: { definitions: unknown[]; entities: Record<string, unknown> };
  /** Parts without an equivalent, kept for the export. */
  kept: string[];
  /** Guesses to review. */
  guessed: string[];
}

export async function importOssie(text: string, connection: string, catalog: Known): Promise<ImportedLens[]> {
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    throw new Problem('invalid', `The file is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  const read = ossieFile.safeParse(parsed);
  if (!read.success) {
    const details = describeFaults(read.error, ossieFile);
    const faults = details.slice(0, 5).map(faultText).join(' ');
    throw new Problem('invalid', `This is not an Ossie model. ${faults}`, { details });
  }
  // Keeps the original order of members.
  const { semantic_model: models, ...top } = parsed as OssieFile;
  return Promise.all(models.map((model) => importModel(model, top, connection, catalog)));
}

async function importModel(
  model: OssieModel,
  top: Omit<OssieFile, 'semantic_model'>,
  connection: string,
  catalog: Known,
): Promise<ImportedLens> {
  const extension = ownExtension(model);
  const write = (dropped: string[]) => {
    const { name, lens, facts, kept, guessed } = ossieToLens(model, connection, catalog, { dropped });
    const tail = `${PRESERVED_MODEL_PREFIX}${JSON.stringify({ ossie: { top, model, dropped, facts } })}\n`;
    const corpus = extension ? corpusFiles(extension) : {};
    const files = {
      [`lenses/${name}/lens.yaml`]: writeLens(lens) + tail,
      ...Object.fromEntries(Object.entries(corpus).map(([path, body]) => [`lenses/${name}/${path}`, body])),
    };
    const shared = { definitions: extension?.definitions ?? [], entities: extension?.entities ?? {} };
    return { name, lens, files, shared, kept, guessed };
  };
  const imported = write([]);
  const refused = await refusedMetrics(imported, catalog.dialect);
  if (refused.size === 0) return imported;
  const fitting = write([...refused.keys()]);
  return { ...fitting, kept: [...fitting.kept, ...[...refused].map(([metric, why]) => `metric ${metric}: ${why}`)] };
}
