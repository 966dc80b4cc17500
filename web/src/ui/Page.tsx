// The parts of every page: a title, one sentence, actions, and the browser tab's title.
import { type ReactNode, useEffect } from 'react';
import css from './page.module.css';

export function Page(given: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${given.title} · svc`;
  }, [given.title]);
  return (
    <div className={given.wide ? css.wide : css.page}>
      <header className={css.head}>
        <div>
          <h1>{given.title}</h1>
          {given.about && <p className={css.about}>{given.about}</p>}
        </div>
        {given.actions && <div className={css.actions}>{given.actions}</div>}
      </header>
      {given.children}
    </div>
  );
}

export function Section(given: { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.section}>
      <header className={css.sectionHead}>
        <div>
          <h2>{given.title}</h2>
          {given.about && <p className={css.about}>{given.about}</p>}
        </div>
        {given.actions}
      </header>
      {given.children}
    </section>
  );
}
