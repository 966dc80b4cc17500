export interface CheckedFile {
  file: File;
  table: string;
  /** The extension that svc recognizes, such as ".csv.gz". */
  extension: string;
  /** The reason why svc can't read the file, or null if svc can read it. */
  fault: string | null;
}

const DATA_FILE_PATTERN = /\.(csv|tsv|txt|json|jsonl|ndjson|parquet)(\.gz|\.zst)?$/i;
const MAX_FILE_BYTES = 100 * 2 ** 20;
const TABLE_NAME_PATTERN = /^[a-z_][a-z0-9_]{0,62}$/;
const MAX_FILES = 100;
const INSPECTED_BYTES = 4096;

export async function checkFile(file: File): Promise<CheckedFile> {
  const ending = DATA_FILE_PATTERN.exec(file.name)?.[0].toLowerCase() ?? '';
  return { file, extension: ending, table: toTableName(file.name), fault: await findContentFault(file, ending) };
}

/** Returns the dropped data files, at any depth of dropped folders. Call this function during the drop event. */
export async function readDroppedFiles({ items }: DataTransfer): Promise<CheckedFile[]> {
  const dropped = [...items].map(async (item) => {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) return checkFolder(entry as FileSystemDirectoryEntry);
    return file ? [await checkFile(file)] : [];
  });
  return (await Promise.all(dropped)).flat();
}

async function checkFolder(folder: FileSystemDirectoryEntry): Promise<CheckedFile[]> {
  const dataFiles = await listFiles(folder);
  const fault =
    dataFiles.length > MAX_FILES
      ? `This folder has more than ${MAX_FILES} data files. Drop only the files that you want to ask about.`
      : dataFiles.length === 0
        ? 'This folder has no CSV, TSV, JSON, JSONL, NDJSON or Parquet files.'
        : null;
  if (fault) return [{ file: new File([], folder.name), table: toTableName(folder.name), extension: '', fault }];
  return Promise.all(dataFiles.map(checkFile));
}

async function listFiles(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0 || files.length > MAX_FILES) return files;
    for (const entry of batch) {
      if (entry.isDirectory) files.push(...(await listFiles(entry as FileSystemDirectoryEntry)));
      else if (DATA_FILE_PATTERN.test(entry.name) && !entry.name.startsWith('.'))
        files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    }
  }
}

/** The names of tables, connections and lenses may contain only letters, digits and "_". */
export const toTableName = (fileName: string): string =>
  fileName
    .replace(DATA_FILE_PATTERN, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 40) || 'file';

/** Returns one message per file, or null for a file that can be uploaded. */
export function findFileFaults(files: readonly CheckedFile[]): (string | null)[] {
  return files.map(({ fault, table }) => {
    if (fault) return fault;
    if (!TABLE_NAME_PATTERN.test(table))
      return 'Use a table name of at most 63 lowercase letters, digits and “_”. Start with a letter or “_”.';
    const sameNameFiles = files.filter((other) => other.table === table && !other.fault);
    return sameNameFiles.length > 1
      ? `${sameNameFiles.length} files would become the table “${table}”. Give each of them a different name.`
      : null;
  });
}

async function findContentFault(file: File, ending: string): Promise<string | null> {
  if (/\.(xlsx?|ods|numbers)$/i.test(file.name)) return 'svc can’t read spreadsheets. Save each sheet as CSV.';
  if (/\.(duckdb|ddb|db|sqlite)$/i.test(file.name))
    return 'This is a database file. Copy it to the server, then use “Connect a database”.';
  if (!ending) return 'svc can’t read this type of file. Use CSV, TSV, JSON, JSONL, NDJSON or Parquet.';
  if (file.size === 0) return 'The file is empty.';
  if (file.size > MAX_FILE_BYTES)
    return 'The file is larger than 100 MB. Convert the file to Parquet, or copy it to the server.';
  if (/\.(gz|zst)$/.test(ending)) return null;
  const bytes = new Uint8Array(await file.slice(0, INSPECTED_BYTES).arrayBuffer());
  const start = new TextDecoder('latin1').decode(bytes);
  if (ending === '.parquet') return start.startsWith('PAR1') ? null : 'This is not a Parquet file.';
  if (start.startsWith('PAR1')) return `This is a Parquet file. Rename it from ${ending} to .parquet.`;
  if (start.startsWith('PK\u0003\u0004')) return `This is a spreadsheet or archive, not ${ending}. Save it as CSV.`;
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return 'This file is UTF-16. Save it as UTF-8.';
  if (bytes.includes(0)) return `This is not text, so svc can’t read it as ${ending}.`;
  const firstCharacter = start.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()[0];
  return /json/.test(ending) && firstCharacter !== '[' && firstCharacter !== '{' ? 'This is not a JSON file.' : null;
}
