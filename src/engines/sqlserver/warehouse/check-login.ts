// Checks the permissions of a login. SQL Server has no read-only sessions, so svc refuses a login that can do more than
// read.
import { Problem } from '../../../platform/problem.ts';

/**
 * Writes a SELECT that returns a label and a value. The longest names fit into nvarchar(200). svc converts the values
 * to one collation, because they have different collations.
 */
const writeLabeledSelect = (label: string, value: string): string =>
  `select '${label}' as what, cast(${value} as nvarchar(200)) collate database_default as value`;
const writePermissionsSelect = (securableClass: string): string =>
  `${writeLabeledSelect(securableClass, 'permission_name')} from sys.fn_my_permissions(null, '${securableClass.toUpperCase()}')`;
const writePermissionTest = (permission: string): string =>
  `has_perms_by_name(concat(quotename(schema_name(schema_id)), '.', quotename(name)), 'OBJECT', '${permission}') = 1`;
const writeObjectPermissionTest = (permission: string, types: string): string =>
  `select top (1) 'object' as what, cast(concat('${permission} on ', name) as nvarchar(200)) collate database_default as value
   from sys.objects where is_ms_shipped = 0 and type in (${types}) and ${writePermissionTest(permission)}`;

export const LOGIN_CHECK_SQL = [
  writeLabeledSelect('version', "serverproperty('ProductVersion')"),
  writeLabeledSelect('collation', "databasepropertyex(db_name(), 'Collation')"),
  writePermissionsSelect('server'),
  writePermissionsSelect('database'),
  ...['INSERT', 'UPDATE', 'DELETE', 'ALTER'].map((permission) => writeObjectPermissionTest(permission, "'U', 'V'")),
  writeObjectPermissionTest('EXECUTE', "'P', 'PC'"),
].join('\nunion all\n');

/** A number with more digits than a float can hold. */
export const DIGITS_SAMPLE = '1234567890123456789012345678.0123456789';
export const DIGITS_CHECK_SQL = `select cast('${DIGITS_SAMPLE}' as decimal(38, 10)) as digits`;

const READ_PERMISSION_PATTERN = /^(?:CONNECT|SELECT|SHOWPLAN|UNMASK|VIEW )/;

/** Returns the server's version. Throws `invalid` if the login can do more than read. */
export function requireReadOnlyLogin(rows: readonly (readonly unknown[])[]): string {
  const valuesOf = (label: string): string[] =>
    rows.flatMap(([rowLabel, value]) => (rowLabel === label ? [String(value)] : []));
  const excessRights = [
    ...[...valuesOf('server'), ...valuesOf('database')].filter(
      (permission) => !READ_PERMISSION_PATTERN.test(permission),
    ),
    ...valuesOf('object'),
  ];
  if (excessRights.length > 0)
    throw createLoginRefusal(
      `The login can do more than read (${[...new Set(excessRights)].slice(0, 3).join(', ')}${excessRights.length > 3 ? ', …' : ''}). Give svc a login with db_datareader only.`,
    );
  const [collation = ''] = valuesOf('collation');
  if (!/_CI_AS/.test(collation))
    throw createLoginRefusal(
      `The database's collation is ${collation}. svc can resolve names only with a collation that ends in _CI_AS (case-insensitive, accent-sensitive).`,
    );
  return valuesOf('version')[0] ?? '';
}

export function requireExactDigits(value: unknown): void {
  if (value !== DIGITS_SAMPLE)
    throw createLoginRefusal('The installed version of tedious loses digits of decimals. Install tedious 19.');
}

const createLoginRefusal = (message: string): Problem => new Problem('invalid', message);
