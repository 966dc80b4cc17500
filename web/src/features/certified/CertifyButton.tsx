// Certifies an answer. The server checks the certified entry and records who approved the entry.
import { Button, Modal, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { ErrorState } from '../../ui/States.tsx';
import css from './certified.module.css';

interface CertifyProps {
  lens: string;
  question: string;
  sql: string;
}

export function CertifyButton(props: CertifyProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Certify
      </Button>
      <CertifyDialog {...props} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

export function CertifyDialog(props: CertifyProps & { opened: boolean; onClose: () => void }) {
  const [question, setQuestion] = useState(props.question);
  const [sql, setSql] = useState(props.sql);
  const certify = useMutation({
    mutationFn: async () => {
      const name = props.lens;
      const entry = await unwrapData(
        apiClient.POST('/mgmt/lenses/{name}/certified', { params: { path: { name } }, body: { question, sql } }),
      );
      const path = { name, id: entry.cert_id };
      return unwrapData(apiClient.POST('/mgmt/lenses/{name}/certified/{id}/approve', { params: { path }, body: {} }));
    },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['certified'] }),
  });
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title="Certify this answer"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
      centered
    >
      {certify.data ? (
        <div className={css.form}>
          <p role="status">Certified. svc now answers this question with the approved SQL.</p>
          <Button onClick={props.onClose}>Done</Button>
        </div>
      ) : (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            certify.mutate();
          }}
        >
          <Textarea
            label="Question"
            autosize
            value={question}
            data-autofocus
            onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
          />
          <Textarea
            label="SQL"
            autosize
            minRows={4}
            maxRows={14}
            classNames={{ input: css.sql }}
            value={sql}
            onChange={({ currentTarget }) => setSql(currentTarget.value)}
          />
          {certify.error && <ErrorState fault={certify.error} />}
          <Button type="submit" loading={certify.isPending}>
            Check and approve
          </Button>
        </form>
      )}
    </Modal>
  );
}
