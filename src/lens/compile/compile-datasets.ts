// Compiles the datasets and relationships of a lens file. Merges entities and checks names.

import type { DatasetFile, FieldFile, LensFile } from '../../contract/files/lens-file.ts';
import { isTemporal } from '../../contract/warehouse.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import type { ProblemReporter } from '../files/yaml-file.ts';
import type { LensDataset, LensField, LensRelationship } from '../model/lens.ts';

export function compileDatasets(
  file: LensFile,
  entities: Record<string, DatasetFile>,
  add: ProblemReporter,
): LensDataset[] {
  return Object.entries(file.datasets).flatMap(([name, declaration]) => {
    const baseDeclaration = 'entity' in declaration ? entities[declaration.entity] : declaration;
    if (!baseDeclaration) {
      const entity = 'entity' in declaration ? declaration.entity : '';
      add(
        ['datasets', name, 'entity'],
        'unknown_name',
        createUnknownNameMessage('entity', entity, Object.keys(entities)),
      );
      return [];
    }
    const fields = { ...baseDeclaration.fields, ...('entity' in declaration ? declaration.fields : {}) };
    const fieldNames = Object.keys(fields);
    if (fieldNames.length === 0) add(['datasets', name, 'fields'], 'invalid', 'A dataset needs at least one field.');
    const timeField = baseDeclaration.time_field ? fields[baseDeclaration.time_field] : undefined;
    if (baseDeclaration.time_field && !timeField)
      add(
        ['datasets', name, 'time_field'],
        'unknown_name',
        createUnknownNameMessage('field', baseDeclaration.time_field, fieldNames),
      );
    else if (timeField && !isTemporal(timeField.datatype))
      add(['datasets', name, 'time_field'], 'invalid', 'A time field must be a date, datetime or datetimetz.');
    return [
      {
        name,
        source: parseSource(baseDeclaration.source),
        description: baseDeclaration.description ?? null,
        synonyms: baseDeclaration.synonyms,
        primaryKey: baseDeclaration.primary_key ?? [],
        timeField: baseDeclaration.time_field ?? null,
        fields: Object.entries(fields).map(([field, fieldFile]) => {
          for (const { at, message } of findRepeatedValueNames(fieldFile.values))
            add(['datasets', name, 'fields', field, 'values', ...at], 'duplicate', message);
          return compileField(field, fieldFile);
        }),
      },
    ];
  });
}

/** Reports synonyms with two meanings, because svc would filter by both values. */
function findRepeatedValueNames(values: FieldFile['values']): { at: (string | number)[]; message: string }[] {
  if (!Array.isArray(values)) return [];
  const listedValues = values.map((item) => (typeof item === 'object' ? item : { value: item, synonyms: [] }));
  const valueByName = new Map(listedValues.map(({ value }) => [String(value).toLowerCase(), String(value)]));
  return listedValues.flatMap(({ value, synonyms }, index) => {
    const faults: { at: (string | number)[]; message: string }[] = [];
    const valueText = String(value);
    synonyms.forEach((synonym, position) => {
      const otherValue = valueByName.get(synonym.toLowerCase()) ?? valueText;
      valueByName.set(synonym.toLowerCase(), otherValue);
      if (otherValue === valueText || synonym.toLowerCase() === valueText.toLowerCase()) return;
      const isValue = otherValue.toLowerCase() === synonym.toLowerCase();
      faults.push({
        at: [index, 'synonyms', position],
        message: `"${synonym}" can't be a synonym of "${valueText}", because it is ${isValue ? 'another value' : `a synonym of "${otherValue}"`}. Remove one of them.`,
      });
    });
    return faults;
  });
}

function compileField(name: string, file: FieldFile): LensField {
  const listedValues = Array.isArray(file.values) && !file.mask ? file.values : null;
  return {
    name,
    datatype: file.datatype,
    description: file.description ?? null,
    synonyms: file.synonyms,
    unit: file.unit ?? null,
    aggregation: file.aggregation ?? null,
    masked: file.mask,
    expression: file.expression ?? null,
    dictionary: listedValues && {
      values: listedValues.map((item) =>
        typeof item === 'object'
          ? { value: String(item.value), synonyms: item.synonyms }
          : { value: String(item), synonyms: [] },
      ),
      complete: true,
    },
    dictionaryFromWarehouse: file.values === 'auto' && !file.mask,
  };
}

function parseSource(text: string): LensDataset['source'] {
  const parts = (text.match(/"[^"]+"|[^.]+/g) ?? []).map((part) => part.replace(/^"|"$/g, ''));
  const [table = '', schema = null, catalog = null] = parts.reverse();
  return { catalog, schema, table };
}

export function compileRelationships(
  file: LensFile,
  datasets: LensDataset[],
  add: ProblemReporter,
): LensRelationship[] {
  const names = Object.keys(file.datasets);
  const compiledRelationships: LensRelationship[] = [];
  file.relationships.forEach((relationship, index) => {
    const relationshipPath = ['relationships', index] as const;
    const sides = [relationship.from, relationship.to].map((side) =>
      (Array.isArray(side) ? side : [side]).map(parseColumnPath),
    );
    const [from, to] = sides as [ColumnPath[], ColumnPath[]];
    for (const [sideName, side] of [
      ['from', from],
      ['to', to],
    ] as const) {
      const unknownColumns = side.filter(({ dataset }) => !names.includes(dataset));
      for (const { dataset } of unknownColumns)
        add([...relationshipPath, sideName], 'unknown_name', createUnknownNameMessage('dataset', dataset, names));
      if (new Set(side.map(({ dataset }) => dataset)).size > 1)
        add([...relationshipPath, sideName], 'invalid', 'All columns of one side must belong to the same dataset.');
    }
    if (from.length !== to.length)
      add([...relationshipPath, 'to'], 'invalid', 'from and to must list the same number of columns.');
    const target = datasets.find(({ name }) => name === to[0]!.dataset);
    if (relationship.name && names.includes(relationship.name) && relationship.name !== to[0]!.dataset)
      add(
        [...relationshipPath, 'name'],
        'duplicate',
        `The role "${relationship.name}" is also the name of a dataset. Rename one.`,
      );
    if (!relationship.name && from[0]!.dataset === to[0]!.dataset)
      add(relationshipPath, 'invalid', 'A relationship of a dataset with itself needs a name, which becomes its role.');
    const duplicate = compiledRelationships.find(
      (earlier) => earlier.from.dataset === from[0]!.dataset && earlier.role === (relationship.name ?? to[0]!.dataset),
    );
    if (duplicate)
      add(
        relationshipPath,
        'duplicate',
        `Two relationships from ${duplicate.from.dataset} share the role "${duplicate.role}". Give each relationship a name.`,
      );
    if (!target) return;
    compiledRelationships.push({
      role: relationship.name ?? target.name,
      named: relationship.name !== undefined,
      from: { dataset: from[0]!.dataset, columns: from.map(({ column }) => column) },
      to: { dataset: target.name, columns: to.map(({ column }) => column) },
    });
    const key = to.map(({ column }) => column);
    if (target.primaryKey.length > 0 && !target.primaryKey.every((column) => key.includes(column)))
      add(
        [...relationshipPath, 'to'],
        'fan_out',
        `${target.name}(${key.join(', ')}) does not contain its primary key ${target.primaryKey.join(', ')}, so one row could match many rows and totals would count rows twice.`,
        { severity: 'warning' },
      );
  });
  return compiledRelationships;
}

interface ColumnPath {
  dataset: string;
  column: string;
}
const parseColumnPath = (text: string): ColumnPath => {
  const dot = text.indexOf('.');
  return { dataset: text.slice(0, dot), column: text.slice(dot + 1).replace(/^"|"$/g, '') };
};
