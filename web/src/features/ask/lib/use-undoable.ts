// Delays an action for a few seconds, so that a person can undo it. If the person starts another action or leaves the
// page, the delayed action runs immediately.
import { useEffect, useRef, useState } from 'react';

const UNDO_MS = 6000;

export function useUndoable<Thing>(act: (thing: Thing) => Promise<unknown>) {
  const [waiting, setWaiting] = useState<Thing | null>(null);
  const held = useRef<{ thing: Thing; timer: number } | null>(null);
  const acting = useRef(act);
  acting.current = act;
  const finish = (): Promise<unknown> => {
    const now = held.current;
    held.current = null;
    if (!now) return Promise.resolve();
    window.clearTimeout(now.timer);
    return acting.current(now.thing);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the person leaves the page
  useEffect(() => () => void finish(), []);
  return {
    waiting,
    begin: (item: Thing) => {
      void finish();
      const over = () => setWaiting((now) => (now === item ? null : now));
      const timer = window.setTimeout(() => void finish().finally(over), UNDO_MS);
      held.current = { thing: item, timer };
      setWaiting(item);
    },
    undo: () => {
      if (held.current) window.clearTimeout(held.current.timer);
      held.current = null;
      setWaiting(null);
    },
  };
}
