import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type CheckedFile, readDroppedFiles } from './check-file.ts';

/** Without these listeners, the browser would leave the app if the person dropped a file outside a target. */
export function useFileDrop(onDrop: (dropped: DataTransfer) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const listen = (name: 'dragover' | 'dragleave' | 'drop', handler: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => holdsFiles(event) && handler(event), { signal });
    listen('dragover', (event) => {
      event.preventDefault();
      setIsDragging(true);
    });
    listen('dragleave', (event) => event.relatedTarget === null && setIsDragging(false));
    listen('drop', (event) => {
      event.preventDefault();
      setIsDragging(false);
      drop.current(event.dataTransfer!);
    });
    return () => ends.abort();
  }, []);
  return isDragging;
}

let pendingFiles: Promise<CheckedFile[]> | null = null;

export function takePendingFiles(): typeof pendingFiles {
  const files = pendingFiles;
  pendingFiles = null;
  return files;
}

export function useFileDropToDataPage(): boolean {
  const navigate = useNavigate();
  return useFileDrop((dropped) => {
    pendingFiles = readDroppedFiles(dropped);
    void navigate({ to: '/data' });
  });
}
