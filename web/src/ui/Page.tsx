import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import css from './page.module.css';

export function Page(props: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · svc`;
  }, [props.title]);
  return (
    <div className={props.wide ? css.wide : css.page}>
      <header className={css.head}>
        <div>
          <h1>{props.title}</h1>
          {props.description && <p className={css.about}>{props.description}</p>}
        </div>
        {props.actions && <div className={css.actions}>{props.actions}</div>}
      </header>
      {props.children}
    </div>
  );
}

export const UnavailablePage = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={css.deadEnd}>
    <Page title={title} description={children}>
      <Button component={Link} to="/">
        Ask a question
      </Button>
    </Page>
  </div>
);

export function Section(props: { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.section}>
      <header className={css.sectionHead}>
        <div>
          <h2>{props.title}</h2>
          {props.description && <p className={css.about}>{props.description}</p>}
        </div>
        {props.actions}
      </header>
      {props.children}
    </section>
  );
}
