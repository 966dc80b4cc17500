// If the person starts another action or leaves the page, the delayed action runs immediately.
import { useEffect, useRef, useState } from 'react';

const UNDO_WINDOW_MS = 6000;

export function useUndoableAction<Thing>(perform: (item: Thing) => Promise<unknown>) {
  const [waitingItem, setWaitingItem] = useState<Thing | null>(null);
  const pendingItem = useRef<{ item: Thing; timer: number } | null>(null);
  const latestPerform = useRef(perform);
  latestPerform.current = perform;
  const finish = (): Promise<unknown> => {
    const pending = pendingItem.current;
    pendingItem.current = null;
    if (!pending) return Promise.resolve();
    window.clearTimeout(pending.timer);
    return latestPerform.current(pending.item);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the person leaves the page
  useEffect(() => () => void finish(), []);
  return {
    waitingItem,
    begin: (item: Thing) => {
      void finish();
      const clearWaiting = () => setWaitingItem((now) => (now === item ? null : now));
      const timer = window.setTimeout(() => void finish().finally(clearWaiting), UNDO_WINDOW_MS);
      pendingItem.current = { item, timer };
      setWaitingItem(item);
    },
    undo: () => {
      if (pendingItem.current) window.clearTimeout(pendingItem.current.timer);
      pendingItem.current = null;
      setWaitingItem(null);
    },
  };
}
