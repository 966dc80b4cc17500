import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { sendFile } from '../../../api/send-file.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { Section } from '../../../ui/Page.tsx';
import { ErrorState } from '../../../ui/States.tsx';
import { lensesQuery } from '../../ask/api/lenses.ts';
import { addConnection } from '../wizard/connect.ts';
import { type CheckedFile, checkFile, findFileFaults, readDroppedFiles } from './check-file.ts';
import css from './files.module.css';
import { takePendingFiles, useFileDrop } from './use-file-drop.ts';

export function FileDropZone({ connections }: { connections: string[] }) {
  const [files, setFiles] = useState<CheckedFile[]>([]);
  const chooser = useRef<HTMLInputElement>(null);
  const addFiles = async (addedFiles: Promise<CheckedFile[]>) => {
    const newFiles = await addedFiles;
    setFiles((before) => [...before, ...newFiles]);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: files from another page arrive at most once
  useEffect(() => {
    const pendingFiles = takePendingFiles();
    if (pendingFiles) void addFiles(pendingFiles);
  }, []);
  const isDragging = useFileDrop((dropped) => void addFiles(readDroppedFiles(dropped)));
  return (
    <Section
      title="Upload files"
      description="CSV, JSON and Parquet, at most 100 MB each. svc keeps a copy on the server."
    >
      <div className={css.place} data-over={isDragging || undefined}>
        <span>Drop files or a folder anywhere on this page, or</span>
        <Button variant="default" size="sm" onClick={() => chooser.current?.click()}>
          Choose files
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={({ currentTarget }) => {
            void addFiles(Promise.all([...(currentTarget.files ?? [])].map(checkFile)));
            currentTarget.value = '';
          }}
        />
      </div>
      {files.length > 0 && <UploadForm files={files} onChange={setFiles} connections={connections} />}
    </Section>
  );
}

function UploadForm(props: { files: CheckedFile[]; onChange: (files: CheckedFile[]) => void; connections: string[] }) {
  const { files, onChange } = props;
  const navigate = useNavigate();
  const lenses = useQuery(lensesQuery);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? (files.length === 1 ? files[0]!.table : 'my_files');
  const faults = findFileFaults(files);
  const [sent, setSent] = useState(0);
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  const canceling = useRef<AbortController>(null);
  useEffect(() => () => canceling.current?.abort(), []);
  const send = useMutation({
    mutationFn: () => {
      canceling.current = new AbortController();
      setSent(0);
      return createFileConnection(name, files, canceling.current.signal, setSent);
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['connections'] });
      void navigate({ to: '/data/new', search: { connection: name } });
    },
  });
  const nameFault = findNameFault(name, props.connections, lenses.data?.map((lens) => lens.name) ?? []);
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <ul className={css.files} aria-label="Files to upload">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a person may drop the same file twice
          <li key={index}>
            <TextInput
              label={`Table name for ${showHiddenCharacters(file.file.name)}`}
              value={file.table}
              disabled={file.fault !== null}
              error={faults[index]}
              spellCheck={false}
              onChange={({ currentTarget: { value } }) =>
                onChange(files.map((other) => (other === file ? { ...file, table: value } : other)))
              }
            />
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Remove ${showHiddenCharacters(file.file.name)}`}
              onClick={() => onChange(files.filter((other) => other !== file))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <TextInput
        label="Name"
        description="svc uses this name for the connection and the lens"
        value={name}
        error={nameFault}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      {send.error && !canceling.current?.signal.aborted && <ErrorState fault={send.error} />}
      {send.isPending && <UploadProgress sent={sent} total={size} />}
      <div className={css.actions}>
        <Button type="submit" loading={send.isPending} disabled={nameFault !== null || faults.some(Boolean)}>
          {files.length === 1 ? 'Upload the file' : `Upload ${files.length} files`}
        </Button>
        {send.isPending && sent < size && (
          <Button variant="default" onClick={() => canceling.current?.abort()}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

function UploadProgress({ sent, total }: { sent: number; total: number }) {
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((sent / total) * 100));
  return (
    <label className={css.progress}>
      {percent < 100 ? `Uploading: ${percent}%` : 'The upload is complete. svc is reading the files.'}
      <progress value={percent} max={100} />
    </label>
  );
}

function findNameFault(name: string, connections: string[], lenses: string[]): string | null {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(name))
    return 'Use at most 63 lowercase letters, digits, “_” and “-”, starting with a letter.';
  if (connections.includes(name)) return `A connection named “${name}” already exists. Use another name.`;
  return lenses.includes(name) ? `A lens named “${name}” already exists. Use another name.` : null;
}

/** `onProgress` receives the total number of bytes sent for all files. */
async function createFileConnection(
  name: string,
  files: CheckedFile[],
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const sentFiles: Record<string, { path: string }> = {};
  let sentBytes = 0;
  for (const { file, table, extension: ending } of files) {
    const previousBytes = sentBytes;
    const { path } = await sendFile(`${table}${ending}`, file, {
      signal,
      onProgress: (bytes) => onProgress(previousBytes + Math.min(bytes, file.size)),
    });
    sentFiles[table] = { path };
    sentBytes += file.size;
    onProgress(sentBytes);
  }
  await addConnection(name, { kind: 'duckdb', files: sentFiles });
}
