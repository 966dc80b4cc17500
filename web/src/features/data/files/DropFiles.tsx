// Files from this computer: dropped on the page or chosen, checked at once, then sent and connected.
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, told } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { inert } from '../../../ui/inert.ts';
import { Section } from '../../../ui/Page.tsx';
import { Failed } from '../../../ui/States.tsx';
import { lensesQuery } from '../../ask/api/lenses.ts';
import { connect } from '../wizard/connect.ts';
import { type Dropped, dropped, faultsOf } from './dropped.ts';
import css from './files.module.css';

export function DropFiles({ connections }: { connections: string[] }) {
  const [files, setFiles] = useState<Dropped[]>([]);
  const chooser = useRef<HTMLInputElement>(null);
  const add = async (more: Iterable<File>) => {
    const read = await Promise.all([...more].map(dropped));
    setFiles((before) => [...before, ...read]);
  };
  const over = useFileDrop(add);
  return (
    <Section title="Your files" about="CSV, JSON and Parquet, at most 100 MB each. svc keeps a copy on the server.">
      <div className={css.place} data-over={over || undefined}>
        <span>Drop files anywhere on this page, or</span>
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
            void add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </div>
      {files.length > 0 && <Sending files={files} onChange={setFiles} connections={connections} />}
    </Section>
  );
}

/** Whether files are held over the page. A drop beside every target would make the browser leave the app. */
function useFileDrop(onDrop: (files: Iterable<File>) => void): boolean {
  const [over, setOver] = useState(false);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const on = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => holdsFiles(event) && act(event), { signal });
    on('dragover', (event) => {
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', (event) => event.relatedTarget === null && setOver(false));
    on('drop', (event) => {
      event.preventDefault();
      setOver(false);
      drop.current([...event.dataTransfer!.files]);
    });
    return () => ends.abort();
  }, []);
  return over;
}

function Sending(given: { files: Dropped[]; onChange: (files: Dropped[]) => void; connections: string[] }) {
  const { files, onChange } = given;
  const navigate = useNavigate();
  const lenses = useQuery(lensesQuery);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? (files.length === 1 ? files[0]!.table : 'my_files');
  const faults = faultsOf(files);
  const send = useMutation({
    mutationFn: () => sendAll(name, files),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['connections'] });
      void navigate({ to: '/data/new', search: { connection: name } });
    },
  });
  const nameFault = faultOfName(name, given.connections, lenses.data?.map((lens) => lens.name) ?? []);
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <ul className={css.files} aria-label="Files to upload">
        {files.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be dropped twice
          <li key={at}>
            <TextInput
              label={`Table for ${inert(one.file.name)}`}
              value={one.table}
              disabled={one.fault !== null}
              error={faults[at]}
              spellCheck={false}
              onChange={({ currentTarget: { value } }) =>
                onChange(files.map((other) => (other === one ? { ...one, table: value } : other)))
              }
            />
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Remove ${inert(one.file.name)}`}
              onClick={() => onChange(files.filter((other) => other !== one))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <TextInput
        label="Name"
        description="Of the connection, and of the lens that you make of it"
        value={name}
        error={nameFault}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      {send.error && <Failed fault={send.error} />}
      <div>
        <Button type="submit" loading={send.isPending} disabled={nameFault !== null || faults.some(Boolean)}>
          {files.length === 1 ? 'Upload the file' : `Upload ${files.length} files`}
        </Button>
      </div>
    </form>
  );
}

function faultOfName(name: string, connections: string[], lenses: string[]): string | null {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(name))
    return 'Use lower-case letters, digits, “_” and “-”, starting with a letter.';
  if (connections.includes(name)) return `There is already a connection “${name}”. Use another name.`;
  return lenses.includes(name) ? `There is already a lens “${name}”. Use another name.` : null;
}

async function sendAll(name: string, files: Dropped[]): Promise<void> {
  const sent: Record<string, { path: string }> = {};
  for (const { file, table, ending } of files) {
    const { path } = await told(
      api.POST('/mgmt/uploads', {
        params: { query: { name: `${table}${ending}` } },
        body: file as never, // the document says text, as it does for every binary body
        bodySerializer: (body) => body as never,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    );
    sent[table] = { path };
  }
  await connect(name, { kind: 'duckdb', files: sent });
}
